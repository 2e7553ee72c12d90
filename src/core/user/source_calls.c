/* What the options of a program say, as its row of operation.def names them. */
#include "call/request.h"

/* The option `defines`: numbers, texts, and true. */
static lun_status read_defines(lun_source *out, lun_request *r, lun_error *err)
{
    const lun_value *option = request_option(r, "defines");
    const size_t count = option ? option->list.count : 0;
    lun_define *defines = REQUEST_MEMORY(r, (count + 1) * sizeof *defines);
    for (size_t i = 0; i < count; i++) {
        const lun_value *value = &option->list.items[i];
        const char *name = option->list.names ? option->list.names[i] : "";
        defines[i] = (lun_define){.name = name, .number = lun_integer(1)};
        if (value->kind == LUN_VALUE_NUMBER)
            defines[i].number = value->number;
        else if (value->kind == LUN_VALUE_TEXT)
            defines[i].text = value->text;
        else if (value->kind == LUN_VALUE_CUT)
            FAIL(LUN_MISUSE, "defines: %.100s has a zero byte", name);
        else if (value->kind != LUN_VALUE_BOOLEAN || !value->truth)
            FAIL(LUN_MISUSE, "defines: a number, a string or true is needed for %.100s, got %s", name,
                 value->kind == LUN_VALUE_BOOLEAN ? "false" : kind_shown(r, value));
    }
    out->defines = defines;
    out->define_count = count;
    return LUN_OK;
}

/* The option `include`: a folder, or a list of them. */
static lun_status read_folders(lun_source *out, lun_request *r, lun_error *err)
{
    const lun_value *option = request_option(r, "include");
    const size_t count = option ? value_count(option) : 0;
    const char **folders = REQUEST_MEMORY(r, (count + 1) * sizeof *folders);
    for (size_t i = 0; i < count; i++) {
        const lun_value *value = value_item(option, i);
        if (value->kind == LUN_VALUE_CUT)
            FAIL(LUN_MISUSE, "option 'include': the string has a zero byte");
        if (value->kind != LUN_VALUE_TEXT)
            FAIL(LUN_MISUSE, "option 'include': a string is needed, got %s", kind_shown(r, value));
        folders[i] = value->text;
    }
    out->include = folders;
    out->include_count = count;
    return LUN_OK;
}

static lun_status bind_source(lun_request *r, lun_error *err)
{
    lun_source *source = REQUEST_STATE(r, lun_source);
    source->options = request_text(r, "options");
    source->check = request_truth(r, "check");
    TRY(read_defines(source, r, err));
    return read_folders(source, r, err);
}

const lun_source *lun_program_source(const lun_request *request) { return request->state; }

const request_functions source_functions = {bind_source, NULL};
