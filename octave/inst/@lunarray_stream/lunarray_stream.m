## What lunarray_rng returns: a stream of random numbers, whose methods are those of core's streams.

classdef lunarray_stream < handle
  properties (SetAccess = private)
    state = int64 ([0 0 0 0]);
  endproperties
  methods
    function r = lunarray_stream (seed)
      if (! isnumeric (seed) || ! isreal (seed) || all (numel (seed) != [1 4]) || any (seed != fix (seed)))
        error ("lunarray:misuse", "lunarray_rng: a seed (a whole number) or a state is needed");
      endif
      r.state(1:numel (seed)) = seed;
    endfunction
    function y = subsref (r, s)
      name = s(1).subs;
      if (! strcmp (s(1).type, "."))
        error ("lunarray:misuse", "lunarray_rng: a method is needed, as r.normal ([2 3])");
      endif
      called = numel (s) > 1 && strcmp (s(2).type, "()");
      args = {};
      if (called)
        args = s(2).subs;
      endif
      if (strcmp (name, "state"))
        y = r.state;
        called = false;
      elseif (strcmp (name, "stream"))
        y = lunarray_stream ([r.state(1), args{1}, 0, 0]);
      else
        [r.state, y] = __lun_draw__ (r.state, name, args{:});
      endif
      if (numel (s) > 1 + called)
        y = subsref (y, s(2+called:end));
      endif
    endfunction
  endmethods
endclassdef
