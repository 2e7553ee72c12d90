/* The device, the frame around calls of core, and how core's messages speak to Octave's users. */
#include "host.h"

#include <octave/interpreter.h>
#include <octave/quit.h>

#include <algorithm>
#include <cctype>
#include <cstring>

const lun_manner *octave_speaks();

static const lun_manner octave_manner = {
    1,
    true,
    1,
    "argument 1",
    "argument 1",
    "\"%s\", %s",
    "%s",
    "[]",
    "pairs of name and value",
    {"nothing", "a logical", "a number", "a complex number", "a string", "an array", "a list", "a queue", "a device",
     "a sparse array", "a string", "a function", "a value"},
    nullptr,
};

const lun_manner *octave_speaks() { return &octave_manner; }

static const char *identifier(lun_status status)
{
    switch (status) {
    case LUN_NO_MEMORY:
        return "lunarray:memory";
    case LUN_NO_DEVICE:
        return "lunarray:device";
    case LUN_BUILD:
        return "lunarray:build";
    case LUN_FAILED:
        return "lunarray:failed";
    default:
        return "lunarray:misuse";
    }
}

/* The device, which the first call chooses: that of the selector, or of LUNARRAY_DEVICE where it is null. */
static lun_device *selected(const char *selector, size_t *count)
{
    static lun_device *device = nullptr; /* as long as Octave runs, as what lists it */
    static lun_system *system = nullptr;
    if (device && !selector && !count)
        return device;
    lun_error err;
    lun_device *found = device;
    lun_status status = system ? LUN_OK : lun_system_open(&system, &err);
    if (status == LUN_OK) {
        lun_system_speak(system, &octave_manner);
        if (count)
            *count = lun_system_count(system);
        else
            status = lun_system_select(&found, system, selector, &err);
    } else
        system = nullptr;
    if (status == LUN_OK && found && !device) {
        device = lun_device_retain(found);
        octave::interpreter::the_interpreter()->add_atexit_fcn("__lun_end__");
    }
    if (status != LUN_OK)
        error_with_id(identifier(status), "lunarray: %s", err.message);
    if (found != device)
        error_with_id("lunarray:device", "gpuDevice: an array was made on another device before, %s",
                      lun_device_info_get(device)->name);
    return device;
}

lun_device *the_device() { return selected(nullptr, nullptr); }

/* A message of core's with Octave's words for dtypes. */
static std::string with_classes(const std::string &message)
{
    static const struct {
        const char *dtype, *word;
    } words[] = {{"f64", "double"},   {"f32", "single"}, {"c128", "complex"}, {"c64", "single complex"},
                 {"bool", "logical"}, {"i8", "int8"},    {"i16", "int16"},    {"i32", "int32"},
                 {"i64", "int64"},    {"u8", "uint8"},   {"u16", "uint16"},   {"u32", "uint32"},
                 {"u64", "uint64"}};
    const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    for (size_t i = 0; i < message.size();) {
        size_t end = i;
        while (end < message.size() && joins(message[end]))
            end++;
        std::string word = message.substr(i, std::max<size_t>(end - i, 1));
        i += word.size();
        for (const auto &row : words)
            if (word == row.dtype) {
                word = row.word;
                break;
            }
        out += word;
    }
    return out;
}

bool goes_on(lun_attempt *t, const char *name)
{
    for (;;)
        switch (lun_attempt_next(t)) {
        case LUN_STEP_CALL:
            return true;
        case LUN_STEP_DONE:
            return false;
        case LUN_STEP_COLLECT: /* values go when their last name does: there is nothing to collect */
            break;
        case LUN_STEP_INTERRUPTS:
            OCTAVE_QUIT;
            break;
        case LUN_STEP_RAISE: {
            const char *log = t->err.status == LUN_BUILD ? lun_device_build_log(the_device()) : "";
            const std::string who = std::string(name) + ": "; /* which what has failed on the device says itself */
            const bool says = std::strncmp(t->err.message, who.c_str(), who.size()) == 0;
            error_with_id(identifier(t->err.status), "%s%s%s%s", says ? "" : who.c_str(),
                          with_classes(t->err.message).c_str(), *log ? "\n" : "", log);
        }
        }
}

DEFUN_DLD(__lun_devices__, , , "n = __lun_devices__ (): the number of devices")
{
    size_t count = 0;
    (void)selected(nullptr, &count);
    return ovl(double(count));
}

DEFUN_DLD(__lun_device__, args, ,
          "d = __lun_device__ (selector): the properties of the device; '' releases memory that no array uses")
{
    const std::string which = args.length() ? args(0).string_value() : "none";
    if (which.empty())
        lun_device_trim(the_device());
    else if (args.length())
        (void)selected(which.c_str(), nullptr);
    const lun_device_info *info = lun_device_info_get(the_device());
    const lun_memory memory = lun_device_memory(the_device());
    octave_scalar_map out;
    out.assign("Name", info->name);
    out.assign("Vendor", info->vendor);
    out.assign("DriverVersion", info->driver);
    out.assign("Type", info->type);
    out.assign("MultiprocessorCount", double(info->units));
    out.assign("SupportsDouble", info->fp64);
    out.assign("TotalMemory", double(info->memory));
    out.assign("AvailableMemory", double(memory.limit - memory.live));
    out.assign("FreeMemory", double(memory.limit - memory.live));
    out.assign("LiveMemory", double(memory.live));
    return ovl(out);
}

DEFUN_DLD(__lun_wait__, , , "Waits until the device has nothing left to do.")
{
    bool done = false;
    lun_attempt t;
    for (lun_attempt_start(&t, the_device()); goes_on(&t, "wait"); t.more = !done)
        t.status = lun_device_finish(&done, the_device(), LUN_SLICE, &t.err);
    return ovl();
}

DEFUN_DLD(__lun_end__, , ,
          "Waits for the device before Octave ends, as a driver that still builds a kernel then crashes.")
{
    lun_error err;
    for (bool done = false; !done;)
        if (lun_device_drain(&done, the_device(), LUN_SLICE, &err) != LUN_OK)
            break;
    return ovl();
}
