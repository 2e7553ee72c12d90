/* The userdata of the Lua side, and the one per-state struct that every function of it carries.
 *
 * Every C function in Lua is a closure whose first three upvalues are the binding (a userdata, one per Lua state), the
 * name by which the user calls it, and an integer. Helpers read them through the pseudo-indices below, so only such a
 * function may call them directly.
 */
#pragma once

#include "../core/lunarray.h"

#include <lauxlib.h>
#include <lua.h>

#define LUNARRAY_VERSION "lunarray " LUN_RELEASE

#define UP_BINDING lua_upvalueindex(1)
#define NAME_UPVALUE 2
#define UP_NAME lua_upvalueindex(NAME_UPVALUE)
#define UP_NUMBER lua_upvalueindex(3)
#define NUMBER_IN_PLACE 0x400000 /* a bit of UP_NUMBER: the method `name_`, whose result goes to its array */
#define NUMBER_FUNCTION                                                                                                \
    0x200000 /* a bit of UP_NUMBER: a method as a function of the module, whose argument 1 is self */

#define FUSED "__fused" /* field of the metatable of numbers of a function that lun.fuse traces: {example, position} */
#define KIND "__kind"   /* field of the metatables of the library's objects that are Lua tables: "a sparse matrix" */
#define HINT "__hint"   /* and what to do where an array is needed: "A:dense() is an array" */

typedef enum class_id {
    CLASS_ARRAY,
    CLASS_DEVICE,
    CLASS_EVENT,
    CLASS_HOST,
    CLASS_QUEUE,
    CLASS_PROGRAM,
    CLASS_KERNEL,
    CLASS_RNG,
    CLASS_LOCALMEM,
    CLASS_COMPLEX,
    CLASS_SPARSE,
    CLASS_TRACE,    /* internal: what lun.fuse has traced */
    CLASS_HOLDER,   /* internal: owns one core object during a call */
    CLASS_SCOPE,    /* internal: lun.scope's mark on the stack */
    CLASS_REQUEST,  /* internal: an operation that is being called */
    CLASS_DEFAULTS, /* internal: lun.with's mark on the stack */
    CLASSES
} class_id;

/* User values of the binding: the classes' metatables at 1..CLASSES, then these. */
enum {
    SLOT_DEVICES = CLASSES + 1, /* [position] and [lightuserdata lun_device *] = device userdata */
    SLOT_SOURCES,               /* [chunk source] = true: lunarray's own Lua files */
    SLOT_ERROR,                 /* metatable of error objects */
    SLOT_SCOPE,                 /* the innermost scope's mark, or nil */
    SLOT_WEAK,                  /* metatable of tables with weak keys */
    SLOT_RANDOM,                /* math.random as it was when the module was loaded */
    SLOT_STEPS,                 /* a Lua function that runs instructions, for count hooks */
    SLOT_MODULE,                /* the module's table */
    SLOT_REQUEST,               /* a request to be used again, or nil */
    SLOT_TRACE,                 /* the trace of lun.fuse that is under way, or nil, */
    SLOT_TRACER,                /* the coroutine that traces, */
    SLOT_REFUSAL,  /* and the Lua function that raises for the name of a method that makes an array there */
    SLOT_DEFAULTS, /* [coroutine] = its innermost mark of lun.with */
    SLOTS = SLOT_DEFAULTS
};

typedef struct binding {
    lun_system *system;             /* NULL until a device is asked for */
    const void *metatable[CLASSES]; /* identities of the classes */
    bool scoped;                    /* is a lun.scope running? */
    bool traced;                    /* does lun.fuse trace a function? */
    bool closed;                    /* its finalizer ran: the state is closing */
    bool interrupted;               /* a debug hook, as Ctrl-C sets one, has ended a wait */
    lun_dtype dtype;                /* of floats where none is named, or LUN_bool until the environment is read */
    bool device_dtypes;             /* has a device one of its own? */
    size_t marks;                   /* of lun.with that are open */
    uint64_t entered;               /* the last one's number */
} binding;

typedef struct device_object {
    lun_device *device; /* retained */
    lun_dtype dtype;    /* of its floats where none is named, or LUN_bool */
} device_object;

/* How ev:get() gets its values from the results, which are the event's user values 1..results. */
typedef enum event_gives {
    GIVES_VALUES,  /* the user values themselves */
    GIVES_NUMBERS, /* the elements of arrays of at most two */
    GIVES_TABLE,   /* the staging memory as a nested table */
    GIVES_STRING   /* the staging memory as a string */
} event_gives;

typedef struct event_object {
    lun_event event;
    bool live; /* set once its operation was enqueued, until it is released */
    event_gives gives;
    int results;
    uint32_t arrays;      /* bits: results that are the user values themselves */
    lun_staging *staging; /* the memory that a read goes to, */
    lun_elements data;    /* and its layout */
} event_object;

typedef struct queue_object {
    lun_queue *queue; /* NULL once released */
} queue_object;

typedef struct host_object {
    lun_mapping mapping;
    bool open;
} host_object;

typedef struct program_object {
    lun_program *program; /* NULL: released */
} program_object;

typedef struct kernel_object {
    lun_kernel *kernel; /* NULL: released */
} kernel_object;

typedef struct rng_object {
    lun_device *device; /* retained */
    lun_rng rng;
} rng_object;

typedef struct complex_object {
    double real, imaginary;
} complex_object;

typedef struct localmem_object {
    size_t bytes;
} localmem_object;

/* Owns the object at `pointer` until `drop` is called on it; NULL: it owns nothing. */
typedef struct holder_object {
    void *pointer;
    void (*drop)(void *pointer);
} holder_object;

/* The common properties of a class's objects. An object of all zeros is unusable. */
typedef struct object_class {
    const char *kind; /* for messages: "a queue" */
    const char *type; /* for lun.type, "queue"; NULL: none of the user's */
    const char *lost; /* the error for an unusable object, with its place as %s */
    const char *gone; /* the same for tostring: "released" */
    bool closes;      /* it has __close, and its users `release`, which never waits, and never raises but for
                                            * surplus arguments */
    bool keeps;       /* its user value goes with it */
    bool (*lives)(const void *object);   /* NULL: as long as its first member, a pointer, is not NULL */
    void (*drop)(void *object);          /* gives back what it owns, when it is released or collected; or */
    void (*drop_pointer)(void *pointer); /* that pointer */
    void (*describe)(lua_State *L, const void *object); /* pushes what tostring says of one that lives. [-0, +1] */
    lun_owner owner;                                    /* of core's operations that are its methods, */
    const luaL_Reg *methods, *more_methods;             /* and these */
    const luaL_Reg *metamethods, *operators, *refusals;
    lua_CFunction no_operator; /* raises for operators that the class lacks */
    lua_CFunction index;       /* where the table of methods, its upvalue 4, does not do, */
    const char *index_name;
    void (*open)(lua_State *L); /* fills the table of methods on the top, and the metatable below it. [-0, +0] */
} object_class;

extern const object_class array_class, device_class, event_class, host_class, queue_class, program_class, kernel_class,
    rng_class, localmem_class, complex_class, sparse_class, trace_class, holder_class, scope_class, request_class,
    defaults_class;
const object_class *class_of(class_id class);
/* Makes the metatables of all, and notes them in the binding. [-0, +0] */
void classes_open(lua_State *L);

static inline binding *binding_of(lua_State *L) { return lua_touserdata(L, UP_BINDING); }

/* The object at `index` if it is of that class, else NULL. Allocates nothing. [-0, +0] */
void *object_test(lua_State *L, int index, class_id class);
/* A zeroed userdata of that class, finalizable from now on. [-0, +1] */
void *object_push(lua_State *L, class_id class, size_t bytes, int user_values);
/* The hint for an event where an array or a number is needed. */
#define TABLE_HINT "lun.array makes an array of a table"
#define EVENT_HINT "ev:get() waits, and gives the result"
/* Fields of the table on the top; a text that is NULL is none. [-0, +0] */
void set_text(lua_State *L, const char *field, const char *text);
void set_number(lua_State *L, const char *field, double value);
void set_count(lua_State *L, const char *field, uint64_t value);
void set_flag(lua_State *L, const char *field, bool value);
/* The kind of the value at `index`, for messages: "an array", "a device", "nil", "a string". */
const char *object_kind(lua_State *L, int index);
/* The hint where an array is needed; NULL: none. */
const char *object_hint(lua_State *L, int index);
/* Is it a user's table, and not an object of the library that is a table? */
bool object_is_table(lua_State *L, int index);

/* An empty array for new memory, noted by the running scope; raises while lun.fuse traces a function. [-0, +1] */
lun_array *array_push(lua_State *L);
/* An empty array for a view, noted by the running scope. [-0, +1] */
lun_array *view_push(lua_State *L);
/* Raises while lun.fuse traces a function, as what a method makes or draws then would be the same at every call. [-0, +0] */
void trace_refuse(lua_State *L);
/* An empty array that scopes ignore: the memory of a Lua value. [-0, +1] */
lun_array *array_push_private(lua_State *L);
/* An event, without its operation yet, for that many results. [-0, +1] */
event_object *event_push(lua_State *L, int results);
/* A complex number. [-0, +1] */
void complex_push(lua_State *L, double real, double imaginary);
/* An empty holder. Dropping it early releases the object that it owns. [-0, +1] */
holder_object *holder_push(lua_State *L, void (*drop)(void *pointer));
void holder_drop(holder_object *holder);
/* The userdata of a device that the core has named. [-0, +1] */
void device_push(lua_State *L, const lun_device *device);
/* The state's devices, discovered at first use; raises an error if there are none. [-0, +0] */
lun_system *device_system(lua_State *L);
/* The device that lun.device() gives. [-0, +1] */
lun_device *device_push_default(lua_State *L);
/* The device at `index`, or the one that the selector there chooses; messages call it `what`. [-0, +1] */
void device_push_chosen(lua_State *L, int index, const char *what);

/* The default dtype of floats on that device; NULL: on any (defaults.c). [-0, +0] */
lun_dtype defaults_dtype(lua_State *L, const lun_device *device);
/* Does lun.with name the option `reproducible`, and as true? [-0, +0] */
bool defaults_reproducible(lua_State *L);
/* Pushes the device that lun.with has named, if one has. [-0, +(0|1)] */
bool defaults_push_device(lua_State *L);

/* The state's binding, for those that are called without it. [-0, +1] */
void binding_push(lua_State *L);
/* Puts the table of functions for other modules (lunarray_module.h) into the registry. [-0, +0] */
void modules_open(lua_State *L);

/* Adds the functions as closures to the table on the top, all with that number. [-0, +0] */
void class_functions(lua_State *L, const luaL_Reg *functions, lua_Integer number);
/* Adds a function for each operator that the metatable on the top lacks. [-0, +0] */
void class_refuse_operators(lua_State *L, lua_CFunction refuse);

/* Files' functions, ended by a NULL name. */
extern const luaL_Reg array_refusals[], arithmetic_metamethods[];
extern const luaL_Reg device_shared[]; /* of a device, and with UP_NUMBER 1 of the module: on the default device */
extern const luaL_Reg fuse_functions[], number_functions[], text_functions[], unknown_functions[], complex_functions[],
    device_functions[], file_functions[], hdf5_functions[], event_functions[], kernel_functions[], scope_functions[],
    simulation_functions[], recording_functions[], sparse_functions[], defaults_functions[], module_metamethods[];

int unknown_event_operator(lua_State *L);
int device_operations(lua_State *L), device_variants(lua_State *L), module_operations(lua_State *L);
int device_program(lua_State *L), device_default_dtype(lua_State *L), device_from_dlpack(lua_State *L);
int device_queue(lua_State *L);
int file_load(lua_State *L);
int array_host(lua_State *L);
int host_index(lua_State *L);    /* upvalue 4: the methods */
int complex_index(lua_State *L); /* the same */
/* Applies the elementwise function to the operands at 1, 2, ... of an operator. */
int arithmetic_apply(lua_State *L, lun_map_op which);
/* Pushes the result of a function of the module whose first argument is a number: a number if all are. False: it is none, or the
 * others are neither numbers nor arrays. [-0, +(0|1)] */
bool arithmetic_of_numbers(lua_State *L, lun_map_op which);
void scope_note(lua_State *L); /* notes the array on the top. [-0, +0] */
