/* An expression of core's as elementwise functions build it, node by node, and what their arguments become in it. */
#pragma once

#include "host.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

/* An expression that grows node by node; what was converted for it stays until it has run. */
class builder
{
  public:
    unsigned array(const lun_array *a)
    {
        lun_node node{};
        node.kind = LUN_NODE_ARRAY;
        node.args[0] = unsigned(e.array_count);
        arrays[e.array_count++] = a;
        return add(node);
    }
    /* As argument of the kernel, or as part of it. */
    unsigned number(lun_number value, bool constant)
    {
        lun_node node{};
        constant = constant || e.number_count == LUN_MAP_NUMBERS;
        if (!constant)
            note_number(&value);
        node.kind = constant ? LUN_NODE_CONSTANT : LUN_NODE_NUMBER;
        node.value = value;
        if (!constant) {
            node.args[0] = unsigned(e.number_count);
            numbers[e.number_count++] = value;
        }
        return add(node);
    }
    unsigned op(lun_map_op op, unsigned x, unsigned y = 0, unsigned z = 0)
    {
        lun_node node{};
        node.kind = LUN_NODE_OP, node.op = op;
        node.args[0] = x, node.args[1] = y, node.args[2] = z;
        return add(node);
    }
    unsigned cast(unsigned x, lun_dtype dtype) /* rounded, halves away from 0 */
    {
        lun_node node{};
        node.kind = LUN_NODE_CAST, node.dtype = dtype, node.args[0] = x, node.rounds = true;
        return add(node);
    }
    octave_value run(const char *name, unsigned result) { return run(name, &result, 1)(0); }
    octave_value_list run(const char *name, const unsigned *results, size_t wanted)
    {
        octave_value_list values;
        if (noted_traced(&values))
            return values;
        std::vector<lun_dtype> dtypes(wanted);
        ask(name, results, wanted, dtypes.data());
        std::vector<const lun_array *> outs(wanted);
        for (size_t i = 0; i < wanted; i++) {
            lun_array *out;
            values.append(make_computed(name, dtypes[i], ndim, shape, &out));
            outs[i] = out;
        }
        enqueue(name, [&](lun_attempt *t) { return lun_map(outs.data(), &e, nullptr, &t->err); });
        note_traced(values);
        return values;
    }

  private:
    void ask(const char *name, const unsigned *results, size_t wanted, lun_dtype *dtypes)
    {
        e.name = "map", e.nodes = nodes, e.node_count = count, e.results = results, e.result_count = wanted;
        e.arrays = arrays, e.numbers = numbers;
        call_core(name, [&](lun_error *err) { return lun_map_result(dtypes, &ndim, shape, &e, err); });
    }
    int ndim = 0;
    size_t shape[LUN_MAX_AXES];
    unsigned add(const lun_node &node)
    {
        nodes[count] = node;
        return count++;
    }
    lun_expression e{};
    lun_node nodes[64]; /* more than one operation of Octave's takes */
    const lun_array *arrays[LUN_MAP_ARRAYS];
    lun_number numbers[LUN_MAP_NUMBERS];
    unsigned count = 0;
};

/* One side of an operator: an array, made of a host's one where there is none, or a real number. */
struct side {
    octave_value held;
    const lun_array *array = nullptr;
    double number = 0;
    lun_dtype dtype = LUN_f64;

    side(const char *name, const octave_value &v)
    {
        if (!is_lunarray(v) && v.numel() == 1 && v.isreal() && (v.isnumeric() || v.islogical()) && !v.is_int64_type() &&
            !v.is_uint64_type()) {
            number = v.double_value();
            if (!dtype_of_class(&dtype, v.class_name()))
                dtype = LUN_f64;
        } else
            lift(name, v);
    }
    void lift(const char *name, const octave_value &v) /* a number, too */
    {
        held = upload(name, v);
        array = &as_lunarray(held).a;
        dtype = array->dtype;
    }
    /* As it is, and as a node of that dtype. */
    unsigned node(builder &b) const { return array ? as_is(b) : b.number(value(dtype), false); }
    unsigned as_is(builder &b) const { return array ? b.array(array) : b.number(lun_real(number), false); }
    unsigned node(builder &b, lun_dtype computed, bool constant = false) const
    {
        if (!array)
            return b.number(value(computed), constant);
        const unsigned x = as_is(b);
        return dtype == computed ? x : b.cast(x, computed);
    }
    bool is_number() const { return !array; }

  private:
    /* The number in that dtype, of whose integers it is the nearest. */
    lun_number value(lun_dtype of) const
    {
        if (!is_integer(of))
            return lun_real(number);
        const int bits = int(8 * lun_dtype_bytes(of));
        const bool sign = lun_dtype_has(of, LUN_SIGNED);
        const double top = std::ldexp(1, sign ? bits - 1 : bits), x = std::isnan(number) ? 0 : std::round(number);
        if (x >= top) /* u64 has its largest as -1 */
            return lun_integer(
                !sign && bits == 64 ? -1 : int64_t(std::numeric_limits<uint64_t>::max() >> (64 - bits + sign)));
        return lun_integer(sign || x > 0 ? (bits == 64 && !sign ? int64_t(uint64_t(x)) : int64_t(std::max(x, -top)))
                                         : 0);
    }
};

/* ---- complex numbers: complex.cc ---------------------------------------------------------------------------- */

inline bool is_complex(const side &s) { return lun_dtype_has(s.dtype, LUN_PAIRS); }
unsigned by_parts(builder &b, lun_map_op op, unsigned z); /* rounded, or the sign */
unsigned across_cut(builder &b, unsigned z);
unsigned scaled(builder &b, lun_map_op op, const side &x, const side &y, lun_dtype result);
unsigned compared(builder &b, lun_map_op op, const side &x, const side &y, lun_dtype both);
unsigned extreme_of_complex(builder &b, bool least, const side &x, const side &y, lun_dtype both);
