/* Tokens of OpenCL C, for all code that reads users' texts. Nothing is preprocessed: directives are tokens too. */
#pragma once

#include "lunarray.h"

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_LITERAL, /* a string or a character, with its quotes */
    TOKEN_SIGN,    /* one character, or -> or ## */
    TOKEN_COMMENT
} token_kind;

/* A line that ends in a backslash continues on the next one, also within a token. */
typedef struct token {
    token_kind kind;
    const char *at;
    size_t length;  /* in the text */
    size_t letters; /* without backslashes at the ends of lines */
    bool first;     /* only blanks and comments are before it on its line */
    bool directive; /* belongs to a preprocessor directive */
    bool member;    /* follows a point or an arrow */
} token;

/* The state before the first token of a text; token_next gives that token. */
token token_before(const char *text);
/* Goes to the next token; false at the end of the text. */
bool token_next(token *t);
/* The same, but comments are tokens too. One that does not end ends with the text. */
bool token_next_any(token *t);
bool token_is(const token *t, const char *text);
bool token_is_one_of(const token *t, const char *const *texts, size_t count);
bool token_begins(const token *t, const char *text);
/* Is that text one name, and nothing else? */
bool token_is_name(const char *text);
