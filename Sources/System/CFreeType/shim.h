#ifndef GALLOP_CFREETYPE_SHIM_H
#define GALLOP_CFREETYPE_SHIM_H
// The public records of FreeType and fontconfig up to the members that are read, as their binary interface fixes them.
// Both libraries are opened when a window needs letters, so that neither is needed to build or to start.

typedef struct {
  unsigned int rows, width;
  int pitch;
  unsigned char *buffer;
  unsigned short num_grays;
  unsigned char pixel_mode, palette_mode;
  void *palette;
} gallop_ft_bitmap;

typedef struct {
  void *library, *face, *next;
  unsigned int glyph_index;
  void *generic[2];
  long metrics[8];
  long linear_advance[2];
  struct { long x, y; } advance;
  int format;
  gallop_ft_bitmap bitmap;
  int bitmap_left, bitmap_top;
} gallop_ft_slot;

typedef struct {
  long num_faces, face_index, face_flags, style_flags, num_glyphs;
  char *family_name, *style_name;
  int num_fixed_sizes;
  void *available_sizes;
  int num_charmaps;
  void *charmaps;
  void *generic[2];
  long bbox[4];
  unsigned short units_per_em;
  short ascender, descender, height, max_advance_width, max_advance_height;
  short underline_position, underline_thickness;
  gallop_ft_slot *glyph;
} gallop_ft_face;

typedef struct {
  int nfont, sfont;
  void **fonts;
} gallop_fc_font_set;
#endif
