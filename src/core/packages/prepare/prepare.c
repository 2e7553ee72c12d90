/* Preparing kernels: processes of their own run the jobs, and what PoCL has kept then goes to one folder with an index. */
#include "base/text.h"
#include "call/interface.h"
#include "packages/prepare/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define SHARE "LUNARRAY_PREPARE_SHARE" /* of a process: its number, of how many, the jobs, the dtypes */
#define MOST_PROCESSES 64

/* Arguments: the folder within which kernels are kept, the device's own in it ("": none is needed), processes, version of the library,
 * 1 to drop what is there, the host's command, jobs, dtypes, device. Kernels of another version are dropped, too. */
static const char BUILD_SCRIPT[] =
    "set -e\n"
    "if [ -n \"$2\" ]; then\n"
    "    mkdir -p \"$1\"\n"
    "    find \"$1\" -maxdepth 1 -name '.preparing-*' -mmin +600 -exec rm -rf '{}' +\n"
    "    beside=$(mktemp -d \"$1/.preparing-XXXXXX\")\n"
    "    printf 'beside\\t%s\\n' \"$beside\"\n"
    "    export LUNARRAY_KERNELS=\n"
    "fi\n"
    "i=0\n"
    "while [ $i -lt $3 ]; do\n"
    "    i=$((i + 1))\n"
    "    if [ -n \"$2\" ]; then\n"
    "        export POCL_CACHE_DIR=\"$beside/$i\" LUNARRAY_PREPARE=\"$beside/$i\"\n"
    "        mkdir \"$beside/$i\"\n"
    "        if [ $5 = 0 ] && [ \"$(cat \"$2/version\" 2>/dev/null)\" = \"$4\" ]; then cp -R \"$2/.\" \"$beside/$i\"; fi\n"
    "        printf '%s' \"$4\" >\"$beside/$i/version\"\n"
    "    fi\n"
    "    { LUNARRAY_DEVICE=\"$9\" " SHARE "=\"$i $3 $7 $8\" sh -c \"$6\" </dev/null || echo ended; } &\n"
    "done\n"
    "wait\n"
    "if [ -n \"$2\" ]; then\n"
    "    mkdir \"$beside/new\"\n"
    "    for each in \"$beside\"/[1-9]*; do cp -R \"$each/.\" \"$beside/new\"; done\n"
    "    cd \"$beside/new\"\n"
    "    find . -type f '(' -name last_accessed -o -name 'tempfile*' -o -path ./index ')' -exec rm -f '{}' +\n"
    "    chmod -R go-w .\n"
    "fi\n";

/* Arguments: the folder of the device, and the one in which the new one was made. */
static const char EXCHANGE_SCRIPT[] =
    "if [ -e \"$1\" ]; then mv \"$1\" \"$2/old\"; fi && mv \"$2/new\" \"$1\" && rm -rf \"$2\"";
static const char REMOVE_SCRIPT[] = "rm -rf \"$1\"";

typedef struct preparing {
    const lun_preparing *asked;
    char beside[LUN_PREPARED_PATH]; /* the folder that the script has made for what is built; "": none yet */
    size_t done, total;
    text_builder failed;
} preparing;

/* ---- the shell ------------------------------------------------------------------------------------------------------ */

static void add_quoted(text_builder *t, const char *word)
{
    text_add(t, " '");
    for (; *word; word++)
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_add_char(t, *word);
    text_add_char(t, '\'');
}

/* Runs a script with words as its arguments, and calls f for each line that it writes. Fails with its last line if the script fails. */
static lun_status run_script(const char *script, const char *const *words, size_t count, preparing *p,
                             void (*f)(preparing *p, char *line), lun_error *err)
{
    text_builder whole = {0};
    char *line = NULL;
    size_t room = 0;
    int ended = -1;
    text_add(&whole, "exec 2>&1; exec sh -c");
    add_quoted(&whole, script);
    add_quoted(&whole, "sh");
    for (size_t i = 0; i < count; i++)
        add_quoted(&whole, words[i]);
    lun_status status = text_check(&whole, err);
    FILE *pipe = status == LUN_OK ? popen(whole.chars, "r") : NULL;
    while (pipe && getline(&line, &room, pipe) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        f(p, line);
    }
    if (pipe)
        ended = pclose(pipe);
    if (status == LUN_OK && ended != 0)
        status = fail(err, LUN_FAILED, "%s", line && *line ? line : "no shell could be run");
    free(line);
    text_clear(&whole);
    return status;
}

/* done JOB DTYPE, or failed JOB DTYPE PROBLEM, of a process; beside FOLDER; anything else is a problem. */
static void take_line(preparing *p, char *line)
{
    const bool done = strncmp(line, "done\t", 5) == 0;
    char job[64], dtype[16];
    int at = 0;
    if (strncmp(line, "beside\t", 7) == 0) {
        snprintf(p->beside, sizeof p->beside, "%s", line + 7);
        return;
    }
    if ((!done && strncmp(line, "failed\t", 7) != 0) || sscanf(line, "%*s\t%63s\t%15s\t%n", job, dtype, &at) != 2) {
        text_add(&p->failed, "%s\n", line);
        return;
    }
    p->done++;
    if (!done)
        text_add(&p->failed, "%s of %s: %s\n", job, dtype, line + at);
    if (p->asked->progress)
        p->asked->progress(p->asked->host, p->done, p->total, job);
}

static void ignore(preparing *p, char *line) { (void)p, (void)line; }

/* ---- what is asked for ---------------------------------------------------------------------------------------------- */

static lun_status check_operations(text_builder *out, const lun_preparing *asked, size_t *count, lun_error *err)
{
    char name[64], known[2048] = "";
    for (*count = 0; job_name(name, sizeof name, *count); ++*count)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *count ? ", " : "", name);
    for (size_t i = 0; i < asked->operation_count; i++) {
        if (!job_known(asked->operations[i]))
            FAIL(LUN_MISUSE, "option 'operations': '%s' is not prepared; known are %s", asked->operations[i], known);
        text_add(out, "%s%s", i ? "," : "", asked->operations[i]);
    }
    if (asked->operation_count)
        *count = asked->operation_count;
    else
        text_add(out, "all");
    return text_check(out, err);
}

static lun_status check_dtypes(text_builder *out, const lun_preparing *asked, const lun_device *device, size_t *count,
                               lun_error *err)
{
    for (size_t i = 0; i < asked->dtype_count; i++) {
        if (strcmp(asked->dtypes[i], "f32") != 0 && strcmp(asked->dtypes[i], "f64") != 0)
            FAIL(LUN_MISUSE, "option 'dtypes': f32 and f64 are prepared, got '%s'", asked->dtypes[i]);
        text_add(out, "%s%s", i ? "," : "", asked->dtypes[i]);
    }
    const bool wide = lun_device_info_get(device)->fp64;
    if (!asked->dtype_count)
        text_add(out, wide ? "f32,f64" : "f32");
    *count = asked->dtype_count ? asked->dtype_count : wide ? 2 : 1;
    return text_check(out, err);
}

/* Builds, and leaves the new folder at p->beside. */
static lun_status build(preparing *p, const lun_prepared *out, lun_device *device, const char *operations,
                        const char *dtypes, lun_error *err)
{
    char within[LUN_PREPARED_PATH], processes[16];
    const unsigned wanted = p->asked->processes ? p->asked->processes : 2;
    snprintf(within, sizeof within, "%s", out->folder);
    if (*within)
        *strrchr(within, '/') = '\0';
    if (wanted > MOST_PROCESSES)
        FAIL(LUN_MISUSE, "option 'processes': a whole number from 1 to %d is needed, got %u", MOST_PROCESSES, wanted);
    snprintf(processes, sizeof processes, "%u", wanted);
    const char *const words[] = {within,
                                 out->folder,
                                 processes,
                                 LUN_RELEASE,
                                 p->asked->fresh ? "1" : "0",
                                 p->asked->command,
                                 operations,
                                 dtypes,
                                 lun_device_info_get(device)->name};
    TRY(run_script(BUILD_SCRIPT, words, COUNT(words), p, take_line, err));
    if (p->done == 0)
        FAIL(LUN_FAILED, "no process could begin: %.*s", (int)strcspn(text_chars(&p->failed), "\n"),
             text_chars(&p->failed));
    return LUN_OK;
}

lun_status lun_prepare(lun_prepared *out, lun_device *device, const lun_preparing *asked, lun_error *err)
{
    preparing p = {.asked = asked};
    text_builder operations = {0}, dtypes = {0};
    size_t jobs = 0, kinds = 0;
    lun_status status = LUN_OK;
    memset(out, 0, sizeof *out);
    TRY_DONE(check_operations(&operations, asked, &jobs, err));
    TRY_DONE(check_dtypes(&dtypes, asked, device, &kinds, err));
    p.total = jobs * kinds;
    if (device_on_pocl(device) && !lun_prepared_folder(out->folder, sizeof out->folder, device, asked->folder))
        FAIL_DONE(LUN_MISUSE, "option 'folder': the path is too long");
    TRY_DONE(build(&p, out, device, operations.chars, dtypes.chars, err));
    if (*p.beside) {
        char new[LUN_PREPARED_PATH + 4];
        const char *const words[] = {out->folder, p.beside};
        snprintf(new, sizeof new, "%s/new", p.beside);
        TRY_DONE(lun_prepared_index(out, new, err));
        TRY_DONE(run_script(EXCHANGE_SCRIPT, words, COUNT(words), &p, ignore, err));
    }
    TRY_DONE(text_check(&p.failed, err));
    if (p.failed.length)
        out->failed = p.failed.chars, p.failed.chars = NULL;
done:
    if (status != LUN_OK && *p.beside) {
        lun_error ignored;
        const char *const words[] = {p.beside};
        run_script(REMOVE_SCRIPT, words, COUNT(words), &p, ignore, &ignored);
    }
    text_clear(&operations), text_clear(&dtypes), text_clear(&p.failed);
    return status;
}

void lun_prepared_clear(lun_prepared *prepared)
{
    free(prepared->failed);
    prepared->failed = NULL;
}

/* ---- a process that builds ------------------------------------------------------------------------------------------ */

/* Is the name one of those, which have commas between them? */
static bool is_listed(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (!at[length] || at[length] == ','))
            return true;
    return strcmp(list, "all") == 0;
}

lun_status lun_prepare_work(lun_device *device, const lun_manner *manner, lun_error *err)
{
    const char *share = getenv(SHARE);
    char operations[2048], dtypes[32], name[64];
    unsigned own, of, count = 0;
    if (!share || sscanf(share, "%u %u %2047s %31s", &own, &of, operations, dtypes) != 4 || !of)
        FAIL(LUN_MISUSE, SHARE " is not set: lun_prepare runs such a process");
    for (size_t i = 0; job_name(name, sizeof name, i); i++)
        for (lun_dtype dtype = LUN_f32; is_listed(name, operations); dtype = LUN_f64) {
            lun_error problem;
            if (is_listed(lun_dtype_name(dtype), dtypes) && ++count % of == own % of) {
                const lun_status status = job_run(device, manner, i, dtype, &problem);
                problem.message[strcspn(problem.message, "\n")] = '\0';
                printf("%s\t%s\t%s\t%s\n", status == LUN_OK ? "done" : "failed", name, lun_dtype_name(dtype),
                       status == LUN_OK ? "" : problem.message);
                fflush(stdout);
            }
            if (dtype == LUN_f64)
                break;
        }
    return LUN_OK;
}
