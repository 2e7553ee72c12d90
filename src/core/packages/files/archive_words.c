/* Arrays and numbers by name to one file, as a row of operation.def is called: savez. */
#include "call/interface.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *name;
    const lun_value *value;
} entry;

typedef struct saving {
    lun_archive *archive;
    entry *entries; /* in the order of their names */
    size_t at;      /* the next one */
} saving;

static void drop_saving(void *data)
{
    saving *s = data;
    lun_archive_free(s->archive);
    s->archive = NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(((const entry *)a)->name, ((const entry *)b)->name); }

static lun_status bind_savez(lun_request *r, lun_error *err)
{
    saving *s = REQUEST_STATE(r, saving);
    const lun_list *list = &r->arguments[2].list;
    s->entries = REQUEST_MEMORY(r, (list->count + 1) * sizeof *s->entries);
    for (size_t i = 0; i < list->count; i++) {
        s->entries[i] = (entry){list->names ? list->names[i] : "", &list->items[i]};
        if (!*s->entries[i].name)
            FAIL(LUN_MISUSE, "argument 2: a name is empty");
        if (list->items[i].kind != LUN_VALUE_ARRAY && list->items[i].kind != LUN_VALUE_NUMBER)
            FAIL(LUN_MISUSE, "'%.100s': an array or a number is needed, got %s", list->names[i],
                 kind_shown(r, &list->items[i]));
    }
    qsort(s->entries, list->count, sizeof *s->entries, by_name);
    TRY(request_hold(r, s, drop_saving, err));
    return request_results(r, 0, err);
}

static lun_status run_savez(bool *more, lun_request *r, lun_array *const *out, lun_error *err)
{
    (void)out;
    saving *s = r->state;
    if (!s->archive)
        TRY(lun_archive_create(&s->archive, r->arguments[1].text, request_truth(r, "compress"), err));
    for (; s->at < r->arguments[2].list.count; s->at++) {
        const entry *e = &s->entries[s->at];
        if (e->value->kind == LUN_VALUE_NUMBER) {
            TRY(lun_archive_add_number(s->archive, e->name, e->value->number, err));
            continue;
        }
        TRY(request_await(more, e->value->array, err));
        if (*more)
            return LUN_OK;
        TRY(lun_archive_add(s->archive, e->name, e->value->array, err));
    }
    TRY(lun_archive_finish(s->archive, err));
    drop_saving(s);
    return LUN_OK;
}

const request_functions savez_functions = {bind_savez, run_savez};
