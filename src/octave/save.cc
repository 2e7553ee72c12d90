/* Arrays on the device as Octave shows them and keeps them in files, text, binary and HDF5: as what gather gives, its type first. */
#include "sparse.h"

#include <octave/ls-oct-text.h>
#include <octave/parse.h>

/* A value of that type of Octave's, still to be filled. */
static octave_value of_type(const std::string &name) { return octave::__get_type_info__("load").lookup_type(name); }

static bool stored_as_text(octave_value here, std::ostream &out)
{
    out << "# elements: " << here.type_name() << "\n";
    return here.save_ascii(out);
}

static bool read_as_text(octave_value *here, std::istream &in)
{
    const std::string name = extract_keyword(in, "elements");
    *here = of_type(name);
    return !name.empty() && here->load_ascii(in);
}

static bool stored_as_bytes(octave_value here, std::ostream &out, bool as_floats)
{
    const std::string name = here.type_name();
    const char length = char(name.size());
    out.write(&length, 1).write(name.data(), length);
    return here.save_binary(out, as_floats);
}

static bool read_as_bytes(octave_value *here, std::istream &in, bool swap, octave::mach_info::float_format format)
{
    char length = 0, name[128];
    if (!in.read(&length, 1) || length <= 0 || !in.read(name, length))
        return false;
    *here = of_type(std::string(name, size_t(length)));
    return here->load_binary(in, swap, format);
}

/* Octave marks the whole group where an array in it has no elements, which then holds for the text beside it, too. So sizes and class
 * are stored in its place. */
static bool stored_as_hdf5(octave_value here, octave_hdf5_id place, const char *name, bool as_floats)
{
    octave_value kind = here.type_name();
    if (here.isempty()) {
        kind = "empty " + here.class_name();
        here = octave::feval("size", ovl(here), 1)(0);
    }
    return kind.save_hdf5(place, "elements", false) && here.save_hdf5(place, name, as_floats);
}

static bool read_as_hdf5(octave_value *here, octave_hdf5_id place, const char *name)
{
    octave_value kind = "";
    if (!kind.load_hdf5(place, "elements"))
        return false;
    const std::string of = kind.string_value();
    const bool none = of.compare(0, 6, "empty ") == 0;
    *here = of_type(none ? "matrix" : of);
    if (!here->load_hdf5(place, name))
        return false;
    if (none)
        *here = octave::feval(of.substr(6), ovl(octave::feval("zeros", ovl(*here), 1)(0)), 1)(0);
    return true;
}

octave_value ov_lunarray::here() const { return gather(*this); }

bool ov_lunarray::become(const octave_value &read)
{
    const octave_value there = upload("load", read);
    lun_array_clear(&a);
    call_core("load", [&](lun_error *e) { return lun_array_view(&a, &as_lunarray(there).a, e); });
    return true;
}

/* Of a value that has what gather gives, and becomes of such. */
#define SHOWN_AND_STORED(of)                                                                                           \
    void of::print(std::ostream &out, bool as_read) { here().print(out, as_read); }                                    \
    void of::print_raw(std::ostream &out, bool as_read) const { here().print_raw(out, as_read); }                      \
    bool of::print_name_tag(std::ostream &out, const std::string &name) const                                          \
    {                                                                                                                  \
        return here().print_name_tag(out, name);                                                                       \
    }                                                                                                                  \
    bool of::save_ascii(std::ostream &out) { return stored_as_text(here(), out); }                                     \
    bool of::save_binary(std::ostream &out, bool as_floats) { return stored_as_bytes(here(), out, as_floats); }        \
    bool of::save_hdf5(octave_hdf5_id place, const char *name, bool as_floats)                                         \
    {                                                                                                                  \
        return stored_as_hdf5(here(), place, name, as_floats);                                                         \
    }                                                                                                                  \
    bool of::load_ascii(std::istream &in)                                                                              \
    {                                                                                                                  \
        octave_value read;                                                                                             \
        return read_as_text(&read, in) && become(read);                                                                \
    }                                                                                                                  \
    bool of::load_binary(std::istream &in, bool swap, octave::mach_info::float_format format)                          \
    {                                                                                                                  \
        octave_value read;                                                                                             \
        return read_as_bytes(&read, in, swap, format) && become(read);                                                 \
    }                                                                                                                  \
    bool of::load_hdf5(octave_hdf5_id place, const char *name)                                                         \
    {                                                                                                                  \
        octave_value read;                                                                                             \
        return read_as_hdf5(&read, place, name) && become(read);                                                       \
    }
SHOWN_AND_STORED(ov_lunarray)
SHOWN_AND_STORED(ov_sparse)
