#include "wallpaper.h"

typedef struct Watch {
  void (*changed)(gboolean is_on_battery, void *user);
  void *user;
} Watch;

static void tell(GDBusProxy *upower, const Watch *watch) {
  GVariant *value = g_dbus_proxy_get_cached_property(upower, "OnBattery");
  if (value == NULL) return;
  if (g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) watch->changed(g_variant_get_boolean(value), watch->user);
  g_variant_unref(value);
}

static void properties_changed(GDBusProxy *upower, GVariant *changed, GStrv invalidated, gpointer data) {
  (void)changed, (void)invalidated;
  tell(upower, data);
}

static void connected(GObject *source, GAsyncResult *result, gpointer data) {
  GDBusProxy *upower = g_dbus_proxy_new_for_bus_finish(result, NULL);
  (void)source;
  /* Without a system bus or UPower there is nothing to watch. */
  if (upower == NULL) {
    g_free(data);
    return;
  }
  g_signal_connect(upower, "g-properties-changed", G_CALLBACK(properties_changed), data);
  tell(upower, data);
}

void power_watch(void (*changed)(gboolean is_on_battery, void *user), void *user) {
  Watch *watch = g_new(Watch, 1);
  *watch = (Watch){changed, user};
  g_dbus_proxy_new_for_bus(G_BUS_TYPE_SYSTEM, G_DBUS_PROXY_FLAGS_NONE, NULL, "org.freedesktop.UPower",
                           "/org/freedesktop/UPower", "org.freedesktop.UPower", NULL, connected, watch);
}
