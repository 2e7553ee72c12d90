-- What the specs of complex matrices share: random ones, adjoints, and how small an error has to be.

local complex_matrices = {}

complex_matrices.EPS = { c64 = 2.0 ^ -23, c128 = 2.0 ^ -52 }
complex_matrices.PART = { c64 = "f32", c128 = "f64" }

function complex_matrices.wide(a)
    return a:cast "c128"
end

function complex_matrices.adjoint(a)
    return a:mt():conj()
end

function complex_matrices.norm(a)
    return a:abs():norm()
end

-- Raises where an error, in units of n eps norm, is more than 10, or NaN.
function complex_matrices.assert_small(units, what)
    if units > 10 or units ~= units then
        error(("%s: %g units"):format(what, units), 2)
    end
end

-- What a complex array of that shape has where both parts are normally distributed.
function complex_matrices.normal(dev, shape, dtype, seed)
    local part = { dtype = complex_matrices.PART[dtype], seed = seed }
    local re = dev:normal(shape, part)
    part.seed = seed + 1000
    return re:complex(dev:normal(shape, part))
end

return complex_matrices
