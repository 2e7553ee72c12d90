---@meta _
-- Fourier transforms, for the Lua language server and for readers; doc/transforms.md has examples. Nothing loads it.

---@class lunarray
local lun = {}

---@class lunarray.device
local device = {}

---@class lunarray.array
local array = {}

---@class lunarray.TransformOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field n? integer length along the axis: what is longer is cut, what is shorter is followed by 0
---@field norm? "backward"|"ortho"|"forward" the inverse is divided by n (default), both by its root, or the other is
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("fft")

---@class lunarray.TransformsOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] an axis, or a list of them; default: all, or the last ones that `n` has lengths for
---@field n? integer|integer[] lengths along the axes: what is longer is cut, what is shorter is followed by 0
---@field norm? "backward"|"ortho"|"forward" the inverse is divided by n (default), both by its root, or the other is
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array
---@field variant? string the way to run it, one of dev:variants("fft")

---@class lunarray.TransformInPlaceOptions: lunarray.AsyncOptions
---@field axis? integer default: the last one
---@field norm? "backward"|"ortho"|"forward" the inverse is divided by n (default), both by its root, or the other is
---@field accurate? boolean c64 is computed in f64, and rounded once
---@field variant? string the way to run it, one of dev:variants("fft")

---The Fourier transform along an axis: the k-th number is the sum of x[j] exp(-2 pi i j k / n), j and k from 0. Of f32 and c64
---numbers it is c64, of f64 and c128 numbers c128; other dtypes are errors.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:fft(opts) end

---The inverse transform along an axis.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:ifft(opts) end

---The first n // 2 + 1 numbers of real numbers' transform along an axis; the others are their mirror image.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:rfft(opts) end

---The n real numbers (default 2 (m - 1), m being the length of the axis) of which these are the first of the transform.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:irfft(opts) end

---The n real numbers (default 2 (m - 1)) that are the transform of a line of which these are the first: the others are their
---conjugates, mirrored.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:hfft(opts) end

---The first n // 2 + 1 numbers of real numbers' inverse transform, of which hfft gives these.
---@param opts? lunarray.TransformOptions
---@return lunarray.array|lunarray.event
function array:ihfft(opts) end

---The Fourier transform along several axes.
---@param opts? lunarray.TransformsOptions
---@return lunarray.array|lunarray.event
function array:fftn(opts) end

---The inverse transform along several axes.
---@param opts? lunarray.TransformsOptions
---@return lunarray.array|lunarray.event
function array:ifftn(opts) end

---The Fourier transform of real numbers along several axes, the first n // 2 + 1 numbers along the last of them.
---@param opts? lunarray.TransformsOptions
---@return lunarray.array|lunarray.event
function array:rfftn(opts) end

---The real numbers of which rfftn gives this.
---@param opts? lunarray.TransformsOptions
---@return lunarray.array|lunarray.event
function array:irfftn(opts) end

---The Fourier transform in place, of complex numbers.
---@param opts? lunarray.TransformInPlaceOptions
---@return lunarray.array|lunarray.event
function array:fft_(opts) end

---The inverse transform in place.
---@param opts? lunarray.TransformInPlaceOptions
---@return lunarray.array|lunarray.event
function array:ifft_(opts) end

---@class lunarray.TransformsInPlaceOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] default: all axes
---@field norm? "backward"|"ortho"|"forward" who divides by the number of elements; default "backward": the inverse
---@field accurate? boolean computed in f64
---@field variant? string one of dev:variants("fft")

---The Fourier transform along several axes in place, of complex numbers.
---@param opts? lunarray.TransformsInPlaceOptions
---@return lunarray.array|lunarray.event
function array:fftn_(opts) end

---The inverse transform along several axes in place.
---@param opts? lunarray.TransformsInPlaceOptions
---@return lunarray.array|lunarray.event
function array:ifftn_(opts) end

---@class lunarray.CosineOptions: lunarray.AsyncOptions
---@field type? integer 1, 2 (default), 3 or 4
---@field axis? integer default: the last one
---@field n? integer length along the axis: what is longer is cut, what is shorter is followed by 0
---@field norm? "backward"|"ortho"|"forward" the inverse is divided (default), both by the root and the ends scaled, or the other is
---@field accurate? boolean f32 and c64 are computed in f64, and rounded once
---@field out? lunarray.array where the result goes; of its shape and dtype, sharing no element with the array

---The cosine transform along an axis, of type 2: the k-th number is twice the sum of x[j] cos(pi k (2 j + 1) / (2 n)), j and k from 0;
---doc/transforms.md has the other types. Of both parts of complex numbers.
---@param opts? lunarray.CosineOptions
---@return lunarray.array|lunarray.event
function array:dct(opts) end

---The inverse of the cosine transform of that type.
---@param opts? lunarray.CosineOptions
---@return lunarray.array|lunarray.event
function array:idct(opts) end

---The sine transform along an axis, of type 2: the k-th number is twice the sum of x[j] sin(pi (k + 1) (2 j + 1) / (2 n)).
---@param opts? lunarray.CosineOptions
---@return lunarray.array|lunarray.event
function array:dst(opts) end

---The inverse of the sine transform of that type.
---@param opts? lunarray.CosineOptions
---@return lunarray.array|lunarray.event
function array:idst(opts) end

---@class lunarray.ShiftOptions: lunarray.AsyncOptions
---@field axis? integer|integer[] an axis, or a list of them; default: all
---@field out? lunarray.array where the result goes; its shape and dtype, sharing no element with the array

---The numbers of a transform in the order of their frequencies, with 0 in the middle: each axis rolled by half of it.
---@param axis? integer|integer[] default: all
---@param opts? lunarray.ShiftOptions
---@return lunarray.array|lunarray.event
---@overload fun(self, opts: lunarray.ShiftOptions): lunarray.array|lunarray.event
function array:fftshift(axis, opts) end

---The order that transforms have, from that of fftshift.
---@param axis? integer|integer[] default: all
---@param opts? lunarray.ShiftOptions
---@return lunarray.array|lunarray.event
---@overload fun(self, opts: lunarray.ShiftOptions): lunarray.array|lunarray.event
function array:ifftshift(axis, opts) end

---The frequencies of the transform of n samples, in its order: 0, 1, ... and then the negative ones, over n d.
---@param n integer
---@param d? number how far the samples are apart; default 1
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.MakeOptions
---@return lunarray.array|lunarray.event
---@overload fun(self, n: integer, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(self, n: integer, dtype: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(self, n: integer, d: number, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
function device:fftfreq(n, d, dtype, opts) end

---Those of the numbers that rfft gives.
---@param n integer
---@param d? number how far the samples are apart; default 1
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.MakeOptions
---@return lunarray.array|lunarray.event
---@overload fun(self, n: integer, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(self, n: integer, dtype: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(self, n: integer, d: number, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
function device:rfftfreq(n, d, dtype, opts) end

---The same on the default device.
---@param n integer
---@param d? number how far the samples are apart; default 1
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.MakeOptions
---@return lunarray.array|lunarray.event
---@overload fun(n: integer, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(n: integer, dtype: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(n: integer, d: number, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
function lun.fftfreq(n, d, dtype, opts) end

---The same on the default device.
---@param n integer
---@param d? number how far the samples are apart; default 1
---@param dtype? lunarray.dtype default "f32"
---@param opts? lunarray.MakeOptions
---@return lunarray.array|lunarray.event
---@overload fun(n: integer, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(n: integer, dtype: lunarray.dtype, opts?: lunarray.MakeOptions): lunarray.array|lunarray.event
---@overload fun(n: integer, d: number, opts: lunarray.MakeOptions): lunarray.array|lunarray.event
function lun.rfftfreq(n, d, dtype, opts) end
