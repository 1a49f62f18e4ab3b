/* Plays a GIF in a window of SDL2:  player FILE.gif [FRAMES]
 *
 * Space pauses, the arrows step, R turns round, Escape leaves; FRAMES ends the program after this many frames.
 *
 *     cc player.c $(pkg-config --cflags --libs gallop sdl2) -o player
 */
#include <SDL.h>
#include <gallop.h>
#include <stdio.h>
#include <stdlib.h>

static Uint32 frame_event;

/* Called on a thread of the engine: SDL takes events from any thread. */
static void announce(const gallop_event *event, void *user) {
  SDL_Event news = {0};
  (void)user;
  news.type = frame_event;
  news.user.code = event->kind;
  SDL_PushEvent(&news);
}

static int fail(const char *message) {
  fprintf(stderr, "player: %s\n", message);
  return 1;
}

/* Copies what has changed to the texture, and shows it. */
static void show(gallop_player *player, SDL_Renderer *renderer, SDL_Texture *texture) {
  gallop_frame_view view = {.struct_size = sizeof view};
  gallop_frame *frame;
  if (gallop_player_frame(player, &frame, &view) != GALLOP_OK) return;
  SDL_UpdateTexture(texture, NULL, view.pixels, (int)view.stride);
  gallop_frame_release(frame);
  SDL_RenderClear(renderer);
  SDL_RenderCopy(renderer, texture, NULL, NULL);
  SDL_RenderPresent(renderer);
}

static void press(gallop_player *player, SDL_Keycode key) {
  gallop_player_info info = {.struct_size = sizeof info};
  if (gallop_player_get_info(player, &info) != GALLOP_OK) return;
  switch (key) {
  case SDLK_SPACE:
    if (info.state == GALLOP_STATE_PLAYING) gallop_player_pause(player);
    else gallop_player_play(player);
    break;
  case SDLK_RIGHT: gallop_player_step(player, 1); break;
  case SDLK_LEFT: gallop_player_step(player, -1); break;
  case SDLK_r:
    gallop_player_set_mode(player, info.mode == GALLOP_MODE_REVERSE ? GALLOP_MODE_FORWARD : GALLOP_MODE_REVERSE);
    break;
  default: break;
  }
}

int main(int argc, char **argv) {
  gallop_image_info info = {.struct_size = sizeof info};
  gallop_image *image;
  gallop_player *player;
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *texture;
  SDL_Event event;
  long left = argc > 2 ? atol(argv[2]) : -1;
  int is_running = 1;

  if (argc < 2) return fail("usage: player FILE.gif [FRAMES]");
  if (gallop_image_open(argv[1], NULL, &image) != GALLOP_OK ||
      gallop_image_get_info(image, &info) != GALLOP_OK ||
      gallop_player_new(image, NULL, &player) != GALLOP_OK)
    return fail(gallop_last_message());
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return fail(SDL_GetError());
  frame_event = SDL_RegisterEvents(1);
  window = SDL_CreateWindow(argv[1], SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, (int)info.width,
                            (int)info.height, SDL_WINDOW_RESIZABLE);
  renderer = SDL_CreateRenderer(window, -1, 0);
  texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING, (int)info.width,
                              (int)info.height);
  if (texture == NULL) return fail(SDL_GetError());
  SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
  gallop_player_on_event(player, 1u << GALLOP_EVENT_FRAME, announce, NULL, NULL, NULL);
  gallop_player_play(player);
  while (is_running && left != 0 && SDL_WaitEvent(&event)) {
    if (event.type == SDL_QUIT) is_running = 0;
    if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE) is_running = 0;
    if (event.type == SDL_KEYDOWN) press(player, event.key.keysym.sym);
    if (event.type == SDL_WINDOWEVENT) show(player, renderer, texture);
    if (event.type != frame_event) continue;
    show(player, renderer, texture);
    if (left > 0) left--;
  }
  gallop_player_release(player);
  gallop_image_release(image);
  SDL_DestroyTexture(texture);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return 0;
}
