/* Shared parts of lunarray.hdf5: libhdf5's functions, found at first use, and the open objects of a call. */
#pragma once

#include "check.h"

typedef int64_t hid; /* since HDF5 1.10 */

typedef struct problem { /* H5E_error2_t */
    hid class, major, minor;
    unsigned line;
    const char *function, *file, *says;
} problem;

typedef unsigned long long size;

typedef struct links { /* H5G_info_t */
    int storage;
    size count;
    int64_t order;
    bool mounted;
} links;

/* Functions of an id that give an id, or an integer, and the others. */
#define IDS(F) F(H5Dget_type) F(H5Dget_space) F(H5Pcreate) F(H5Tcopy) F(H5Tenum_create) F(H5Aget_type) F(H5Aget_space)
#define INTEGERS(F)                                                                                                    \
    F(H5Idec_ref)                                                                                                      \
    F(H5Iget_type)                                                                                                     \
    F(H5Sget_simple_extent_type)                                                                                       \
    F(H5Sget_simple_extent_ndims)                                                                                      \
    F(H5Pset_shuffle) F(H5Tget_class) F(H5Tget_sign) F(H5Tget_nmembers) F(H5Tis_variable_str)
#define OTHERS(F)                                                                                                      \
    F(int, H5open, (void))                                                                                             \
    F(int, H5get_libversion, (unsigned *major, unsigned *minor, unsigned *release))                                    \
    F(int, H5free_memory, (void *memory))                                                                              \
    F(int, H5Eset_auto2, (hid stack, void *function, void *data))                                                      \
    F(int, H5Ewalk2, (hid stack, int direction, int (*each)(unsigned, const problem *, void *), void *data))           \
    F(hid, H5Fopen, (const char *path, unsigned flags, hid list))                                                      \
    F(hid, H5Fcreate, (const char *path, unsigned flags, hid creation, hid list))                                      \
    F(int, H5Fflush, (hid file, int scope))                                                                            \
    F(int, H5Gget_info, (hid group, links * out))                                                                      \
    F(ssize_t, H5Lget_name_by_idx, (hid at, const char *group, int, int, size n, char *name, size_t room, hid list))   \
    F(int, H5Lget_val_by_idx, (hid at, const char *group, int, int, size n, void *value, size_t room, hid list))       \
    F(hid, H5Oopen, (hid at, const char *name, hid list))                                                              \
    F(hid, H5Dcreate2, (hid at, const char *name, hid type, hid space, hid links, hid creation, hid list))             \
    F(int, H5Dread, (hid dataset, hid type, hid memory, hid file, hid list, void *data))                               \
    F(int, H5Dwrite, (hid dataset, hid type, hid memory, hid file, hid list, const void *data))                        \
    F(int, H5Dvlen_reclaim, (hid type, hid space, hid list, void *data))                                               \
    F(hid, H5Screate_simple, (int ndim, const size *shape, const size *most))                                          \
    F(int, H5Sget_simple_extent_dims, (hid space, size * shape, size * most))                                          \
    F(int, H5Sselect_hyperslab, (hid, int, const size *start, const size *step, const size *count, const size *block)) \
    F(int, H5Pset_create_intermediate_group, (hid list, unsigned yes))                                                 \
    F(int, H5Pset_chunk, (hid list, int ndim, const size *shape))                                                      \
    F(int, H5Pset_deflate, (hid list, unsigned level))                                                                 \
    F(hid, H5Tcreate, (int class, size_t bytes))                                                                       \
    F(int, H5Tenum_insert, (hid type, const char *name, const void *value))                                            \
    F(int, H5Tinsert, (hid type, const char *name, size_t offset, hid member))                                         \
    F(int, H5Tset_size, (hid type, size_t bytes))                                                                      \
    F(int, H5Tset_cset, (hid type, int set))                                                                           \
    F(int, H5Tset_ebias, (hid type, size_t bias))                                                                      \
    F(int, H5Tset_fields, (hid type, size_t sign, size_t exponent, size_t bits, size_t mantissa, size_t digits))       \
    F(int, H5Tget_fields,                                                                                              \
      (hid type, size_t * sign, size_t * exponent, size_t * bits, size_t * mantissa, size_t * digits))                 \
    F(size_t, H5Tget_size, (hid type))                                                                                 \
    F(char *, H5Tget_member_name, (hid type, unsigned member))                                                         \
    F(size_t, H5Tget_member_offset, (hid type, unsigned member))                                                       \
    F(hid, H5Tget_member_type, (hid type, unsigned member))                                                            \
    F(hid, H5Aopen_by_idx, (hid at, const char *name, int index, int order, size n, hid list, hid links))              \
    F(ssize_t, H5Aget_name, (hid attribute, size_t room, char *name))                                                  \
    F(int, H5Aread, (hid attribute, hid type, void *data))                                                             \
    F(int, H5Aexists, (hid at, const char *name))                                                                      \
    F(int, H5Adelete, (hid at, const char *name))                                                                      \
    F(hid, H5Acreate2, (hid at, const char *name, hid type, hid space, hid creation, hid list))                        \
    F(int, H5Awrite, (hid attribute, hid type, const void *data))

#define ID(name) hid (*name)(hid);
#define INTEGER(name) int (*name)(hid);
#define OTHER(gives, name, takes) gives(*name) takes;
typedef struct hdf5_library {
    void *library;
    IDS(ID) INTEGERS(INTEGER) OTHERS(OTHER)
} hdf5_library;
#undef ID
#undef INTEGER
#undef OTHER
extern hdf5_library h5;

enum { READ_ONLY, READ_WRITE, EXCLUSIVE = 4 };
enum { OF_GROUP = 2, OF_DATASET = 5 };
enum { WHOLE, FLOAT, TEXT = 3, COMPOUND = 6, ENUMERATION = 8 };

#define MOST_OPEN 64
#define ROOM 256 /* bytes of a name */

typedef struct session {
    hid open[MOST_OPEN];
    int count;
    void *memory;
    char message[ROOM];
} session;

typedef size sizes[LUN_MAX_AXES];

typedef struct kind {
    lun_dtype dtype; /* LUN_DTYPES: none of lunarray's */
    bool spelled;    /* complex parts are "real" and "imag", not "r" and "i" as NumPy's h5py writes them */
} kind;

/* NULL: the library is loaded; else what is wrong. */
const char *hdf5_load(void);
hid hdf5_constant(const char *name); /* whose name ends in _g */
hid hdf5_keep(session *s, hid id);   /* whatever it is, the session's end closes it */
void hdf5_end(void *session);
/* The dtype of a file's type; and the type of such elements in memory, and in files that are written. */
kind hdf5_kind_of(hid type);
hid hdf5_type_of(session *s, kind k);
