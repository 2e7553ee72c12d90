---@meta _
-- What the Lua language server, and a reader, should know of the option tables, beside meta.lua. Nothing loads it.

---@class lunarray.AsyncOptions
---@field async? boolean return an event
---@field queue? lunarray.queue the queue that runs it; default: the device's own

---@class lunarray.MakeOptions: lunarray.AsyncOptions
---@field dtype? lunarray.dtype

---@class lunarray.LogspaceOptions: lunarray.LinspaceOptions
---@field base? number of which powers are made, default 10

---@class lunarray.LinspaceOptions: lunarray.MakeOptions
---@field endpoint? boolean false: the last number is one step before `to`; default true

---@class lunarray.ArrayOptions: lunarray.AsyncOptions
---@field dtype? lunarray.dtype
---@field shape? integer|integer[] of the result; as many elements as the data

---@class lunarray.UniformOptions: lunarray.AsyncOptions
---@field seed? integer the same seed gives the same numbers on every device; default: from math.random
---@field low? number the least number, which can occur
---@field high? number where the numbers end: not reached by `random`, reached by `randint`
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("random") and dev:variants("randint")

---@class lunarray.NormalOptions: lunarray.AsyncOptions
---@field seed? integer as for `random`
---@field mean? number default 0
---@field std? number standard deviation, default 1
---@field dtype? lunarray.dtype
---@field out? lunarray.array filled instead of a new one; of that shape
---@field variant? string the way to run it, one of dev:variants("normal")

---@class lunarray.CopyOptions: lunarray.AsyncOptions
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the input
---@field variant? string the way to run it, one of dev:variants("copy"), or of "transpose" for transpose

---@class lunarray.SaveOptions
---@field as? "u16" saves the bits of bf16, which NumPy lacks, as integers of 16 bits

---@class lunarray.SavezOptions
---@field compress? boolean packs them, as np.savez_compressed does; raises in a build without zlib

---@class lunarray.FillOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("fill")

---@class lunarray.InPlaceOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("transpose")

---@class lunarray.ReduceOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] the axes that go; default: all
---@field segments? lunarray.array|integer[] k + 1 starts (i32 or i64, from 1) of segments of one axis, the last one if none
---is named: the axis then has an element for each of k segments. A start that is less than the one before or out of range, and
---an empty segment where the op has no result of no elements, raise at the next wait
---@field keepdims? boolean keep the reduced axes, with size 1: the result is an array
---@field out? lunarray.array where the result goes, with or without the reduced axes; it is what the call returns
---@field variant? string the way to run it, one of dev:variants("reduce")

---@class lunarray.SumOptions: lunarray.ReduceOptions
---@field accurate? boolean what rounds is summed in bins: within 2 units in the last place of the exact result; wants f64
---@field reproducible? boolean the same sums: the same bits on every device, by every variant, of every layout of the values

---@class lunarray.TypedSumOptions: lunarray.SumOptions
---@field dtype? lunarray.dtype as which elements are taken, and that of the result; default: the one of sums of the array's

---@class lunarray.TypedReduceOptions: lunarray.ReduceOptions
---@field dtype? lunarray.dtype as which elements are taken, and that of the result; default: the one of sums of the array's

---@class lunarray.VarianceOptions: lunarray.TypedSumOptions
---@field ddof? number taken off the count by which the sum of squares is divided, default 0

---@class lunarray.DeviationOptions: lunarray.TypedReduceOptions
---@field ddof? number taken off the count by which the sum of squares is divided, default 0

---@class lunarray.AnyReduceOptions: lunarray.SumOptions
---@field ddof? number of variances and deviations: taken off the count by which the sum of squares is divided, default 0
---@field q? number|number[] of "quantile" and "nanquantile": from 0 to 1; a list gives an array with one more axis, the first, for it

---@class lunarray.LoadtxtOptions: lunarray.AsyncOptions
---@field dtype? lunarray.dtype where it is no argument
---@field delimiter? string one character between fields; default: blanks, as many as there are
---@field comments? string what begins a comment, default "#"; "": nothing
---@field skip? integer lines at the beginning that are left out
---@field columns? integer|integer[] which columns, from 1, in that order; default: all
---@field rows? integer at most so many
---@field missing? number in the place of fields that are empty or no number; default: these are errors

---@class lunarray.SavetxtOptions
---@field delimiter? string between the numbers of a line, default a blank
---@field digits? integer of floats; default: as many as it takes to read the same number
---@field header? string lines at the beginning, each behind `comments`
---@field comments? string default "# "

---@class lunarray.FromfileOptions: lunarray.AsyncOptions
---@field dtype? lunarray.dtype where it is no argument
---@field shape? integer|integer[] where it is no argument
---@field offset? integer bytes at the beginning that are left out
---@field mapped? boolean where the device works in the host's memory: no copy, the system reads the file's pages when they are used

---@class lunarray.OwnOperator
---@field map? string OpenCL C of x, or of the names of arrays and numbers: what is combined; default for an array: x
---@field combine? string OpenCL C of a and b, associative; values keep their row-major order. It is needed
---@field identity? string OpenCL C, what combines with any value to that value; without it, no elements are an error

---@class lunarray.OwnReduceOptions: lunarray.AnyReduceOptions
---@field map? string OpenCL C of x: what an element becomes before it is combined; default: x
---@field combine? string OpenCL C of a and b, associative; elements keep their row-major order
---@field identity? string OpenCL C, what combines with any value to that value; without it, no elements are an error
---@field dtype? lunarray.dtype of the result of sums, products, means and own operators, and of what is combined; of own operators
---default: the array's

---@class lunarray.ReduceExpressionOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] the axes that go, of the shape that all arrays broadcast to; default: all
---@field segments? lunarray.array|integer[] starts of segments of one axis, as of an array's reductions; of one op and expression
---@field keepdims? boolean keep the reduced axes, with size 1: the results are arrays
---@field out? lunarray.array|lunarray.array[] where the results go, a list if there are several
---@field dtype? lunarray.dtype of the expressions and of numbers; default: the one that holds all arrays and numbers
---@field accurate? boolean sums, means, variances and norms as accurate as those of an array, of the expressions' rounded values
---@field reproducible? boolean the same
---@field ddof? number of variances and deviations: taken off the count by which the sum of squares is divided, default 0
---@field variant? string the way to run it, one of dev:variants("map")

---@class lunarray.InPlaceMapOptions: lunarray.AsyncOptions
---@field variant? string the way to run it, one of dev:variants("map")

---@class lunarray.MapOptions: lunarray.InPlaceMapOptions
---@field out? lunarray.array where the result goes; of its shape and dtype. It may be an operand, or shares no element with any

---@class lunarray.FuseOptions: lunarray.InPlaceMapOptions
---@field out? lunarray.array|lunarray.array[] where the results go, a list if there are several; as for a method

---@class lunarray.ExpressionOptions: lunarray.FuseOptions
---@field dtype? lunarray.dtype of the results and of numbers; default: the one that holds all arrays and numbers

---@class lunarray.MatmulOptions: lunarray.AsyncOptions
---@field alpha? number default 1
---@field beta? number default 0, which never reads `out`; another needs `out`
---@field conj? "a"|"b"|"both" the array itself, the other, or both are conjugated, without a copy; default: neither
---@field devices? lunarray.device[] of two matrices: each device does a part of the rows of the first, and gets the second; the first device is the arrays' own; not with async and queue
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the inputs
---@field variant? string the way to run it, one of dev:variants("matmul")

---@class lunarray.NbodyOptions: lunarray.AsyncOptions
---@field dt number the time step; of an integrator that chooses its steps, the interval whose multiples it arrives at
---@field steps? integer default 1
---@field softening? number|lunarray.array length added in quadrature to every distance, default 0; or of each body, n of the dtype of the positions: of two bodies, the mean of both squares is added to that of the distance
---@field G? number the constant of gravity, default 1
---@field active? integer so many bodies attract, the first ones; default all
---@field accuracy? number from 1e-6 to 0.1: 99 of 100 errors of accelerations are at most that times the sum of all pulls' magnitudes, and many bodies are summed by a tree; default: the direct sum
---@field integrator? "leapfrog"|"euler"|"yoshida4"|"kahan_li6"|"kahan_li8"|"hermite4"|"ias15" order 2, kick-drift-kick (the default); order 1, velocities first; orders 4, 6 and 8, of 3, 9 and 17 forces a step; orders 4 and 15 in f64, which may choose their steps
---@field adaptive? number 0 to 1: of hermite4 Aarseth's eta (without it all steps are dt), of ias15 Rein and Spiegel's epsilon (default 1e-9); 0: all steps are dt
---@field devices? lunarray.device[] each pulls a part of the bodies, n x 4; the first is the arrays' own; by the direct sum the same bits whatever the list is, but not those of a call without one; not with async and queue
---@field variant? string the way to run it, one of dev:variants("nbody")

---@class lunarray.GravityOptions: lunarray.AsyncOptions
---@field softening? number|lunarray.array default 0
---@field G? number default 1
---@field active? integer so many bodies attract, the first ones; default all
---@field accuracy? number from 1e-6 to 0.1: 99 of 100 errors of accelerations are at most that times the sum of all pulls' magnitudes, and many bodies are summed by a tree; default: the direct sum
---@field at? lunarray.array points m x 3, or m x 4 whose fourth column does not count, of the dtype of the positions n x 4: the field there instead of at the bodies
---@field rows? integer[] the first and the last body whose field is wanted, of n x 4: the result has so many rows; not with at
---@field devices? lunarray.device[] each does a part of the bodies, n x 4, or points; the first is the arrays' own; by the direct sum the same bits as by one; not with rows, async and queue
---@field out? lunarray.array of the shape and dtype of the positions, or m x 4 at points
---@field variant? string the way to run it, one of dev:variants("gravity")

---@class lunarray.EnergyOptions: lunarray.AsyncOptions
---@field softening? number|lunarray.array default 0
---@field G? number default 1
---@field active? integer so many bodies attract, the first ones; default all
---@field accuracy? number from 1e-6 to 0.1: 99 of 100 errors of accelerations are at most that times the sum of all pulls' magnitudes, and many bodies are summed by a tree; default: the direct sum
---@field variant? string the way to run it, one of dev:variants("energy")

---@class lunarray.ProgramOptions
---@field defines? table<string, number|string|true> macros: an integer, a float (a double constant, all its digits), any text, or 1
---@field options? string for the compiler; without a -cl-std the language is OpenCL C 1.2
---@field include? string|string[] folders of included files, which have to be there, without spaces and quotes in their
---names, as compilers cannot take them; that of the program's own file comes before them
---@field check? boolean indices into arrays (`x[i]` in a kernel's own text) are checked, at the cost of speed: one out of
---range reads and writes nothing beyond, and fails the run; the error names the parameter and the index

---@class lunarray.RunOptions: lunarray.AsyncOptions
---@field global integer|integer[] how many work-items, in one to three dimensions; a 0 among them: nothing runs
---@field group? integer|integer[] work-items in a group, as many dimensions; default: picked by the library
---@field offset? integer|integer[] added to the work-items' global ids, as many dimensions; up to 2^30; default: 0
---@field pad? boolean round global up to whole groups; the kernel then minds its range itself
