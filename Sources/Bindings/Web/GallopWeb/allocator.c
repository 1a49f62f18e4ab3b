// The module's memory, for the one thread that there is. The C library's allocator has seven times the code.
//
// The heap is one row of blocks. A block is a header of four bytes and the memory behind it, which begins at a multiple of
// 16; its size, header included, is a multiple of 16. A free block holds the links of its list behind the header, and its
// size in its last four bytes, where the block after it finds it. Two free blocks are never neighbours.
//
// Bounds: every block lies between `heap_start` and `heap_end`, where a used header of size 0 stands.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { unit = 16, header = 4, page = 1 << 16, most_pages = 1 << 16, steps = 4, lists = 28 * steps };
enum { is_used = 1, follows_used = 2, flags = 3 };
// More than this is refused: sums of sizes stay below 2^32.
static const size_t most = (size_t)1 << 31;

typedef struct free_block {
  struct free_block *next, *before;
} free_block;

extern uint8_t __heap_base;
static uint8_t *heap_start, *heap_end;
/// Free blocks by size: four lists for each power of two. A bit is set where a list has blocks.
static free_block *first_of[lists];
static uint32_t filled[(lists + 31) / 32];

static uint32_t *head(void *memory) { return (uint32_t *)memory - 1; }
static size_t size_of(void *memory) { return *head(memory) & ~(uint32_t)flags; }
static uint8_t *after(void *memory) { return (uint8_t *)memory + size_of(memory); }

/// The list that a block of this size belongs to; every block of a later list is larger.
static unsigned list_of(size_t size) {
  unsigned power = 31 - __builtin_clz((uint32_t)size);
  return (power - 4) * steps + ((size >> (power - 2)) & (steps - 1));
}

/// Makes a free block, and enters it into its list. The block before it is in use.
static void enter(uint8_t *memory, size_t size) {
  unsigned list = list_of(size);
  free_block *block = (free_block *)memory;
  *head(memory) = (uint32_t)size | follows_used;
  *(head(memory + size) - 1) = (uint32_t)size;
  *head(memory + size) &= ~(uint32_t)follows_used;
  *block = (free_block){first_of[list], NULL};
  if (block->next) block->next->before = block;
  first_of[list] = block;
  filled[list / 32] |= 1u << list % 32;
}

static void leave(free_block *block) {
  unsigned list = list_of(size_of(block));
  if (block->next) block->next->before = block->before;
  if (block->before) {
    block->before->next = block->next;
  } else if (!(first_of[list] = block->next)) {
    filled[list / 32] &= ~(1u << list % 32);
  }
}

/// A free block of at least this size; null if there is none.
static free_block *find(size_t size) {
  unsigned list = list_of(size);
  for (free_block *block = first_of[list]; block; block = block->next)
    if (size_of(block) >= size) return block;
  list += 1;
  uint32_t word = filled[list / 32] & (~0u << list % 32);
  for (unsigned index = list / 32;; word = filled[index]) {
    if (word) return first_of[index * 32 + (unsigned)__builtin_ctz(word)];
    if (++index == sizeof filled / sizeof *filled) return NULL;
  }
}

/// Gives a used block back; what is free beside it joins it.
void free(void *memory) {
  if (!memory) return;
  uint8_t *start = memory;
  size_t size = size_of(start);
  uint8_t *next = start + size;
  if (!(*head(next) & is_used)) {
    size += size_of(next);
    leave((free_block *)next);
  }
  if (!(*head(start) & follows_used)) {
    size_t before = *(head(start) - 1);
    start -= before;
    size += before;
    leave((free_block *)start);
  }
  enter(start, size);
}

/// Makes the heap longer by a free block of at least this size. Returns whether there was memory.
static int grow(size_t size) {
  size_t pages = (size + unit + page - 1) / page;
  // The last page stays unused: an end of 2^32 has no address.
  if (pages + __builtin_wasm_memory_size(0) >= most_pages) return 0;
  size_t end = __builtin_wasm_memory_grow(0, pages);
  if (end == SIZE_MAX) return 0;
  end = (end + pages) * page;
  if (!heap_start) {
    heap_start = (uint8_t *)(((uintptr_t)&__heap_base + header + unit - 1) & ~(uintptr_t)(unit - 1));
    heap_end = heap_start;
    *head(heap_start) = is_used | follows_used;
  }
  uint8_t *start = heap_end;
  // The end mark becomes the header of a used block, which is then given back.
  heap_end = (uint8_t *)end;
  *head(start) = (uint32_t)(heap_end - start) | is_used | (*head(start) & follows_used);
  *head(heap_end) = is_used | follows_used;
  free(start);
  return 1;
}

/// The size of the block for this many bytes; 0 if they are too many.
static size_t block_size(size_t count) {
  return count >= most ? 0 : (count + header + unit - 1) & ~(size_t)(unit - 1);
}

/// Cuts a used block to a size; the rest becomes free.
static void cut(uint8_t *memory, size_t size) {
  size_t rest = size_of(memory) - size;
  if (rest == 0) return;
  *head(memory) -= (uint32_t)rest;
  *head(memory + size) = (uint32_t)rest | is_used | follows_used;
  free(memory + size);
}

void *malloc(size_t count) {
  size_t size = block_size(count);
  if (!size) return NULL;
  free_block *block = find(size);
  if (!block) {
    if (!grow(size)) return NULL;
    block = find(size);
  }
  leave(block);
  *head(block) |= is_used;
  *head(after(block)) |= follows_used;
  cut((uint8_t *)block, size);
  return block;
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *memory = malloc(bytes);
  return memory ? memset(memory, 0, bytes) : NULL;
}

void *realloc(void *memory, size_t count) {
  if (!memory) return malloc(count);
  size_t room = size_of(memory) - header;
  if (room >= count) return memory;
  void *larger = malloc(count);
  if (!larger) return NULL;
  memcpy(larger, memory, room);
  free(memory);
  return larger;
}

int posix_memalign(void **result, size_t alignment, size_t count) {
  if (alignment <= unit) return (*result = malloc(count)) ? 0 : ENOMEM;
  size_t size = block_size(count);
  uint8_t *memory = size && alignment < most ? malloc(count + alignment) : NULL;
  if (!memory) return ENOMEM;
  uint8_t *aligned = (uint8_t *)(((uintptr_t)memory + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (aligned > memory) {
    size_t lead = (size_t)(aligned - memory);
    *head(aligned) = (uint32_t)(size_of(memory) - lead) | is_used | follows_used;
    *head(memory) = (uint32_t)lead | (*head(memory) & flags);
    free(memory);
  }
  cut(aligned, size);
  *result = aligned;
  return 0;
}

// With bulk memory these are one instruction each; the C library's are loops.
void *memcpy(void *restrict to, const void *restrict from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
