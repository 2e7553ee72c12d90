/* Kernels that are built beforehand: lunarray_prepare.m. */
#include "host.h"

#include <iostream>
#include <string>
#include <vector>

extern const lun_manner *octave_speaks();

namespace
{

/* Strings of a cell as C's, which point into `texts`. */
std::vector<const char *> names(std::vector<std::string> *texts, const octave_value &cell)
{
    const string_vector given = cell.cell_value().string_vector_value();
    std::vector<const char *> out;
    for (octave_idx_type i = 0; i < given.numel(); i++)
        texts->push_back(given(i));
    for (const std::string &text : *texts)
        out.push_back(text.c_str());
    return out;
}

/* A line at each tenth of the way. */
void show(void *, size_t done, size_t total, const char *job)
{
    if (done * 10 / total != (done - 1) * 10 / total)
        octave_stdout << "lunarray_prepare: " << done * 100 / total << " %, " << job << std::endl;
}

} // namespace

DEFUN_DLD(__lun_prepare__, args, ,
          "__lun_prepare__ (OPERATIONS, DTYPES, FOLDER, PROCESSES, FRESH, COMMAND, QUIET): a struct of what was built.")
{
    std::vector<std::string> texts[2];
    const std::vector<const char *> operations = names(&texts[0], args(0)), dtypes = names(&texts[1], args(1));
    const std::string folder = args(2).string_value(), command = args(5).string_value();
    lun_preparing asked{};
    asked.operations = operations.data(), asked.operation_count = operations.size();
    asked.dtypes = dtypes.data(), asked.dtype_count = dtypes.size();
    asked.folder = folder.empty() ? nullptr : folder.c_str();
    asked.processes = unsigned(args(3).int_value());
    asked.fresh = args(4).bool_value();
    asked.command = command.c_str();
    asked.progress = args(6).bool_value() ? nullptr : show;
    lun_prepared made;
    call_core("lunarray_prepare", [&](lun_error *e) { return lun_prepare(&made, the_device(), &asked, e); });
    octave_scalar_map out;
    out.assign("folder", std::string(made.folder));
    out.assign("programs", double(made.programs));
    out.assign("kernels", double(made.kernels));
    out.assign("bytes", double(made.bytes));
    out.assign("failed", std::string(made.failed ? made.failed : ""));
    lun_prepared_clear(&made);
    return ovl(out);
}

DEFUN_DLD(__lun_prepare_work__, , , "Runs a share of the jobs of lunarray_prepare, in a process of its own.")
{
    call_core("lunarray_prepare", [](lun_error *e) { return lun_prepare_work(the_device(), octave_speaks(), e); });
    return ovl();
}
