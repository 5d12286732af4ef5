/* One YAML text in, libyaml's events out, as one run of bytes that ../stand_ins/cyaml.py reads.

   An event: its kind, its place (index, line, column), then what it holds; an error: UINT32_MAX, the kind of error, the
   problem and its place, the context and its place, and for characters that can't be read their offset and value.
   Numbers have four bytes, the lowest first. A text is its length, then its bytes; UINT32_MAX says that there is none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static unsigned char *out;
static size_t used, room;

static void put(const void *bytes, size_t size) {
  if (used + size > room) {
    room = 2 * (used + size);
    out = realloc(out, room);
    if (!out) __builtin_trap();
  }
  memcpy(out + used, bytes, size);
  used += size;
}

static void number(uint32_t value) { put(&value, 4); }

static void text(const char *bytes, size_t size) {
  number(bytes ? (uint32_t)size : UINT32_MAX);
  if (bytes) put(bytes, size);
}

static void word(const void *bytes) { text(bytes, bytes ? strlen(bytes) : 0); }

static void mark(yaml_mark_t at) { number(at.index); number(at.line); number(at.column); }

/* Room for a text; `events` gives it back. */
__attribute__((export_name("room"))) void *give_room(size_t size) { return malloc(size); }

/* How many bytes the last result has. */
__attribute__((export_name("used"))) size_t length(void) { return used; }

/* The events of the text that lies in `body`. */
__attribute__((export_name("events"))) unsigned char *events(unsigned char *body, size_t size) {
  yaml_parser_t parser;
  yaml_event_t event;
  int last = 0;
  used = 0;
  if (!yaml_parser_initialize(&parser)) __builtin_trap();
  yaml_parser_set_input_string(&parser, body, size);
  while (!last) {
    if (!yaml_parser_parse(&parser, &event)) {
      number(UINT32_MAX);
      number(parser.error);
      word(parser.problem);
      mark(parser.problem_mark);
      word(parser.context);
      mark(parser.context_mark);
      number(parser.problem_offset);
      number(parser.problem_value);
      break;
    }
    last = event.type == YAML_STREAM_END_EVENT;
    number(event.type);
    mark(event.start_mark);
    if (event.type == YAML_SCALAR_EVENT) {
      word(event.data.scalar.anchor);
      word(event.data.scalar.tag);
      text((char *)event.data.scalar.value, event.data.scalar.length);
      number(event.data.scalar.style);
    } else if (event.type == YAML_SEQUENCE_START_EVENT) {
      word(event.data.sequence_start.anchor);
      word(event.data.sequence_start.tag);
    } else if (event.type == YAML_MAPPING_START_EVENT) {
      word(event.data.mapping_start.anchor);
      word(event.data.mapping_start.tag);
    } else if (event.type == YAML_ALIAS_EVENT) {
      word(event.data.alias.anchor);
    } else if (event.type == YAML_DOCUMENT_START_EVENT) {
      number(event.data.document_start.tag_directives.end - event.data.document_start.tag_directives.start);
    }
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  free(body);
  return out;
}
