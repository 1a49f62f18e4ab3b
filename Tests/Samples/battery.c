/* Stands for UPower on the system bus: each line, `1` or `0`, says whether the machine is on battery. */
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <stdio.h>

static const char INTERFACE[] =
  "<node><interface name='org.freedesktop.UPower'>"
  "<property name='OnBattery' type='b' access='read'/>"
  "</interface></node>";
static const char PATH[] = "/org/freedesktop/UPower";
static const char NAME[] = "org.freedesktop.UPower";

static GDBusConnection *bus;
static gboolean is_on_battery;

static GVariant *get_property(
  GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *property,
  GError **error, gpointer data) {
  (void)connection, (void)sender, (void)path, (void)interface, (void)property, (void)error, (void)data;
  return g_variant_new_boolean(is_on_battery);
}

static void line_read(GObject *source, GAsyncResult *result, gpointer loop) {
  GDataInputStream *lines = G_DATA_INPUT_STREAM(source);
  char *line = g_data_input_stream_read_line_finish(lines, result, NULL, NULL);
  GVariantBuilder changed;
  if (line == NULL) {
    g_main_loop_quit(loop);
    return;
  }
  is_on_battery = line[0] == '1';
  g_free(line);
  g_variant_builder_init(&changed, G_VARIANT_TYPE("a{sv}"));
  g_variant_builder_add(&changed, "{sv}", "OnBattery", g_variant_new_boolean(is_on_battery));
  g_dbus_connection_emit_signal(bus, NULL, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                g_variant_new("(sa{sv}as)", NAME, &changed, NULL), NULL);
  g_data_input_stream_read_line_async(lines, G_PRIORITY_DEFAULT, NULL, line_read, loop);
}

static void named(GDBusConnection *connection, const char *name, gpointer data) {
  (void)connection, (void)name, (void)data;
  puts("ready");
  fflush(stdout);
}

int main(void) {
  static const GDBusInterfaceVTable table = {.get_property = get_property};
  GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(INTERFACE, NULL);
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  GDataInputStream *lines = g_data_input_stream_new(g_unix_input_stream_new(0, FALSE));
  bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
  if (bus == NULL) return 1;
  g_dbus_connection_register_object(bus, PATH, node->interfaces[0], &table, NULL, NULL, NULL);
  g_bus_own_name_on_connection(bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, named, NULL, NULL, NULL);
  g_data_input_stream_read_line_async(lines, G_PRIORITY_DEFAULT, NULL, line_read, loop);
  g_main_loop_run(loop);
  return 0;
}
