/* Octave's functions of one argument, and core's rows that compute them. */
#include "api/functions.h"
#include "host.h"

octave_value ov_lunarray::map(unary_mapper_t function) const
{
    const octave_value self(clone());
    static const struct {
        unary_mapper_t function;
        lun_map_op op;
    } rows[] = {{umap_abs, LUN_MAP_abs},       {umap_acos, LUN_MAP_acos},         {umap_acosh, LUN_MAP_acosh},
                {umap_angle, LUN_MAP_angle},   {umap_arg, LUN_MAP_angle},         {umap_asin, LUN_MAP_asin},
                {umap_asinh, LUN_MAP_asinh},   {umap_atan, LUN_MAP_atan},         {umap_atanh, LUN_MAP_atanh},
                {umap_cbrt, LUN_MAP_cbrt},     {umap_ceil, LUN_MAP_ceil},         {umap_conj, LUN_MAP_conj},
                {umap_cos, LUN_MAP_cos},       {umap_cosh, LUN_MAP_cosh},         {umap_erf, LUN_MAP_erf},
                {umap_erfinv, LUN_MAP_erfinv}, {umap_erfc, LUN_MAP_erfc},         {umap_erfcinv, LUN_MAP_erfcinv},
                {umap_erfcx, LUN_MAP_erfcx},   {umap_exp, LUN_MAP_exp},           {umap_expm1, LUN_MAP_expm1},
                {umap_fix, LUN_MAP_trunc},     {umap_floor, LUN_MAP_floor},       {umap_gamma, LUN_MAP_tgamma},
                {umap_isinf, LUN_MAP_isinf},   {umap_isfinite, LUN_MAP_isfinite}, {umap_isnan, LUN_MAP_isnan},
                {umap_lgamma, LUN_MAP_lgamma}, {umap_log, LUN_MAP_log},           {umap_log2, LUN_MAP_log2},
                {umap_log10, LUN_MAP_log10},   {umap_log1p, LUN_MAP_log1p},       {umap_round, LUN_MAP_round},
                {umap_signum, LUN_MAP_sign},   {umap_sin, LUN_MAP_sin},           {umap_sinh, LUN_MAP_sinh},
                {umap_sqrt, LUN_MAP_sqrt},     {umap_tan, LUN_MAP_tan},           {umap_tanh, LUN_MAP_tanh}};
    for (const auto &row : rows)
        if (row.function == function)
            return unary(row.op, self);
    if (function == umap_real || function == umap_imag) {
        const char *name = function == umap_real ? "real" : "imag";
        if (self.iscomplex() && traced_graph())
            return unary(function == umap_real ? LUN_MAP_real : LUN_MAP_imag, self);
        if (self.iscomplex())
            return operate(name, LUN_OF_ARRAY, ovl(self), ovl())(0);
        if (function == umap_real)
            return self.islogical() ? cast(self, LUN_f64) : self;
        return cast(binary(LUN_MAP_land, unary(LUN_MAP_lnot, self), false), a.dtype == LUN_bool ? LUN_f64 : a.dtype);
    }
    if (function == umap_roundb) /* halves to the even one */
        return operate("round", LUN_OF_ARRAY, ovl(self), ovl(), "roundb")(0);
    if (function == umap_xtolower || function == umap_xtoupper)
        return self;
    error_with_id("lunarray:function",
                  "%s: there is no such function of arrays on the device; gather (x) brings them back",
                  get_umap_name(function));
}
