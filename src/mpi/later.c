/* Calls that go on while Lua does something else: a thread of the process begins them in the order in which they were made, each
 * once what it sends has been read from the device and what the ranks call is known to be the same, and opens the gate behind which
 * the writes of what comes wait. */
#include "lunarray_module.h"
#include "mpi_room.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

#define JOB "lunarray.mpi.job"
#define MOST 8       /* requests of a job, and reads that it waits for */
#define AWAKE 200e-6 /* seconds after progress in which the thread does not sleep, but lets others have the core; */
#define MOVED 5e8 /* and for calls of many bytes, which MPI moves in pieces while it is asked, this many in a second */
#define NAP 20000 /* nanoseconds */
#define CALL 192  /* bytes of a text that says what a rank calls, or sends */

typedef struct job {
    struct job *next;
    request_object *requests[MOST]; /* kept by Lua until the job has ended */
    int descriptors[MOST];
    int request_count, descriptor_count;
    lunarray_gate *gate;   /* NULL: nothing is to come */
    request_object *first; /* an agreement, or a text that says what comes: ends well before the other requests begin */
    char name[32], call[CALL], coming[CALL];
    double timeout, since; /* 0: it waits for ever */
    alive_asking alive;
    bool asks, begun, ended; /* `first`, and the requests; `ended` is the host's to read under the lock */
} job;

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    job *first, **last; /* in the order of the calls; those that have ended are taken out */
    double begun;       /* when the last call was begun, */
    size_t bytes;       /* and how many bytes it moves */
    bool runs, stop;
    const lunarray_module *lun;
    char host[MPI_MAX_PROCESSOR_NAME];
} own = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .last = &own.first};

/* ---- failures: no Lua is there to raise, and all ranks end ------------------------------------------------------------- */

_Noreturn static void fail(const job *j, const char *message)
{
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fprintf(stderr, "lunarray.mpi: rank %d of %d on %s: lunarray: %s: %s\n", rank + 1, size, own.host, j->name,
            message);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

static void check(const job *j, int code)
{
    char text[MPI_MAX_ERROR_STRING + 16] = "MPI says: ";
    int length;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text + strlen(text), &length);
    fail(j, text);
}

/* The time is over: who does not answer? */
_Noreturn static void fail_late(const job *j)
{
    char list[256] = "", text[400];
    int size;
    MPI_Comm_size(j->alive.comm, &size);
    const int silent = alive_silent(list, sizeof list, &j->alive);
    if (silent < 0)
        fail(j, "out of host memory");
    if (silent == 0)
        snprintf(text, sizeof text, "it has not ended within %g s, though all ranks answer: do all of them call it?",
                 j->timeout);
    else
        snprintf(text, sizeof text, "%s %s of %d %s not answered for %g s", silent == 1 ? "rank" : "ranks", list, size,
                 silent == 1 ? "has" : "have", j->timeout);
    fail(j, text);
}

/* ---- progress ------------------------------------------------------------------------------------------------------------ */

static bool are_readable(const job *j)
{
    struct pollfd all[MOST];
    for (int i = 0; i < j->descriptor_count; i++)
        all[i] = (struct pollfd){.fd = j->descriptors[i], .events = POLLIN};
    return poll(all, (nfds_t)j->descriptor_count, 0) == j->descriptor_count;
}

/* Ranks call different things: each says what it calls, and all know it. */
_Noreturn static void fail_different(const job *j)
{
    char text[3 * CALL];
    int size, other = 0;
    MPI_Comm_size(j->first->comm, &size);
    char *all = calloc((size_t)size, CALL);
    if (!all)
        fail(j, "out of host memory");
    check(j, MPI_Allgather(j->call, CALL, MPI_CHAR, all, CALL, MPI_CHAR, j->first->comm));
    while (other + 1 < size && strcmp(all, all + CALL * other) == 0)
        other++;
    snprintf(text, sizeof text, "the ranks' calls differ: rank 1 %s, rank %d %s", all, other + 1, all + CALL * other);
    fail(j, text);
}

/* Is `first` over? Where it ended otherwise than well, so does the process. */
static bool is_cleared(job *j)
{
    char text[3 * CALL];
    bool ended;
    if (!j->asks)
        check(j, request_begin(j->first));
    j->asks = true;
    check(j, request_test(&ended, j->first));
    if (!ended)
        return false;
    if (j->first->kind == AGREE && !request_agreed(j->first))
        fail_different(j);
    if (j->first->kind == RECV && strcmp(j->call, j->coming) != 0) {
        snprintf(text, sizeof text, "rank %d sends %s, but option 'out' is %s", j->first->root + 1, j->coming, j->call);
        fail(j, text);
    }
    return true;
}

/* Are all begun that MPI takes in the order of their beginnings: calls of all ranks, or messages of one tag from or to one rank? */
static bool is_next(const job *j)
{
    const request_object *mine = j->first;
    for (const job *k = own.first; k != j; k = k->next) {
        const request_object *its = k->first;
        const bool same = its->kind == AGREE || (its->root == mine->root && its->tag == mine->tag);
        if (!k->begun && its->kind == mine->kind && same)
            return false;
    }
    return true;
}

static bool begin_all(job *j)
{
    if (!is_cleared(j) || !is_next(j) || !are_readable(j))
        return false;
    own.begun = MPI_Wtime();
    own.bytes = 0;
    for (int i = 0; i < j->request_count; i++) {
        own.bytes += j->requests[i]->count * j->requests[i]->item;
        check(j, request_begin(j->requests[i]));
    }
    return j->begun = true;
}

/* Begins the job, or tests what it has begun: has something changed? */
static bool advance(job *j)
{
    if (!j->begun)
        return begin_all(j);
    bool all = true;
    for (int i = 0; i < j->request_count; i++) {
        bool ended;
        check(j, request_test(&ended, j->requests[i]));
        all = all && ended;
    }
    if (all) {
        j->ended = true;
        if (j->gate)
            own.lun->open(j->gate);
    }
    return all;
}

/* Ends the process if the job's time is over, and answers those who ask. */
static void keep_time(job *j)
{
    if (j->timeout > 0 && MPI_Wtime() - j->since > j->timeout) {
        if (!j->begun && !are_readable(j))
            fail(j, "the data that it sends was not ready in time");
        fail_late(j);
    }
    alive_answer(&j->alive);
}

/* A pass over the jobs, under the lock: in the order of the calls, which is that in which each one's `first` begins. */
static bool pass(void)
{
    bool changed = false;
    for (job **place = &own.first; *place;) {
        job *j = *place;
        changed = advance(j) || changed;
        if (j->ended) {
            *place = j->next;
            if (!*place)
                own.last = place;
        } else {
            keep_time(j);
            place = &j->next;
        }
    }
    return changed;
}

/* The end of the time in which the thread stays awake. */
static double awake_until(double since)
{
    const double moving = own.begun + (double)own.bytes / MOVED;
    return moving > since + AWAKE ? moving : since + AWAKE;
}

static void *run(void *unused)
{
    double since = 0;
    (void)unused;
#ifdef PR_SET_TIMERSLACK
    prctl(PR_SET_TIMERSLACK, 1000ul); /* else a nap takes 50 us more */
#endif
    pthread_mutex_lock(&own.lock);
    while (!own.stop) {
        if (!own.first) {
            pthread_cond_wait(&own.more, &own.lock);
            since = MPI_Wtime();
            continue;
        }
        if (pass())
            since = MPI_Wtime();
        pthread_mutex_unlock(&own.lock);
        if (MPI_Wtime() < awake_until(since))
            sched_yield();
        else
            nanosleep(&(struct timespec){0, NAP}, NULL);
        pthread_mutex_lock(&own.lock);
    }
    pthread_mutex_unlock(&own.lock);
    return NULL;
}

/* Signals are for the host's own thread. */
static int start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&own.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    own.runs = code == 0;
    return code;
}

/* ---- for Lua -------------------------------------------------------------------------------------------------------------- */

/* read(array): its event, and where the elements will be; the descriptor. */
static int read_array(lua_State *L)
{
    int descriptor;
    const void *place = own.lun->read(L, 1, &descriptor);
    lua_pushlightuserdata(L, (void *)(uintptr_t)place);
    lua_pushinteger(L, descriptor);
    return 3;
}

/* close(queue): who keeps the gate, and the gate. */
static int close_queue(lua_State *L)
{
    lua_pushlightuserdata(L, own.lun->close(L, 1));
    return 2;
}

/* write(array, queue, result): its event, and where the elements are to be. */
static int write_array(lua_State *L)
{
    lua_pushlightuserdata(L, own.lun->write(L, 1, 2, 3));
    return 2;
}

/* Fills the job's list from the table at `index`. */
static int read_list(lua_State *L, int index, job *j, bool requests)
{
    const int count = (int)luaL_len(L, index);
    luaL_argcheck(L, count <= MOST, index, "too many");
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        if (requests)
            j->requests[i] = luaL_checkudata(L, -1, REQUEST);
        else
            j->descriptors[i] = (int)luaL_checkinteger(L, -1);
        lua_pop(L, 1);
    }
    return count;
}

/* go(name, gate, requests, descriptors, timeout or nil, comm to ask by, tags of asking and answering, first, what this rank calls
 * or has room for): a job, which keeps the requests. */
static int go(lua_State *L)
{
    lua_settop(L, 10);
    job *j = lua_newuserdatauv(L, sizeof *j, 2);
    memset(j, 0, sizeof *j);
    luaL_setmetatable(L, JOB);
    snprintf(j->name, sizeof j->name, "%s", luaL_checkstring(L, 1));
    j->gate = lua_touserdata(L, 2);
    j->request_count = read_list(L, 3, j, true);
    j->descriptor_count = read_list(L, 4, j, false);
    j->timeout = luaL_optnumber(L, 5, 0);
    j->since = MPI_Wtime();
    j->alive.comm = *(MPI_Comm *)lua_touserdata(L, 6);
    j->alive.asked = (int)luaL_checkinteger(L, 7);
    j->alive.answered = (int)luaL_checkinteger(L, 8);
    j->first = luaL_checkudata(L, 9, REQUEST);
    snprintf(j->call, sizeof j->call, "%s", luaL_checkstring(L, 10));
    if (j->first->kind == RECV || j->first->kind == SEND) {
        j->first->from = j->call;
        j->first->to = j->coming;
        j->first->count = CALL;
    }
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, 9);
    lua_setiuservalue(L, -2, 2);
    pthread_mutex_lock(&own.lock);
    *own.last = j;
    own.last = &j->next;
    pthread_cond_signal(&own.more);
    pthread_mutex_unlock(&own.lock);
    return 1;
}

/* ended(job): has it? */
static int has_ended(lua_State *L)
{
    const job *j = luaL_checkudata(L, 1, JOB);
    pthread_mutex_lock(&own.lock);
    lua_pushboolean(L, j->ended);
    pthread_mutex_unlock(&own.lock);
    return 1;
}

/* begin(host, threads): starts the thread where there may be one. */
static int begin(lua_State *L)
{
    snprintf(own.host, sizeof own.host, "%s", luaL_checkstring(L, 1));
    luaL_newmetatable(L, JOB);
    lua_getfield(L, LUA_REGISTRYINDEX, LUNARRAY_MODULE);
    own.lun = lua_touserdata(L, -1);
    if (own.lun == NULL || own.lun->version < LUNARRAY_MODULE_VERSION)
        return luaL_error(L, "lunarray.core is older than lunarray.mpi; install both anew");
    if (lua_toboolean(L, 2) && start_thread() != 0)
        return luaL_error(L, "no thread could be started");
    return 0;
}

/* stop(): no job is left. */
static int stop(lua_State *L)
{
    (void)L;
    pthread_mutex_lock(&own.lock);
    own.stop = true;
    pthread_cond_signal(&own.more);
    pthread_mutex_unlock(&own.lock);
    if (own.runs)
        pthread_join(own.thread, NULL);
    own.runs = false;
    return 0;
}

const luaL_Reg later_functions[] = {{"read", read_array}, {"close", close_queue}, {"write", write_array}, {"go", go},
                                    {"ended", has_ended}, {"begin", begin},       {"stop", stop},         {NULL, NULL}};
