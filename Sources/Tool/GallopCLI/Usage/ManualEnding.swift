/// What the manual page says beside the help of the commands: files, exit statuses, examples.
enum ManualEnding {
  static let text = #"""
    .SH FILES AND RANGES
    .I FILE
    is a file, a folder (its GIFs, sorted by name; with
    .B \-r
    those of the folders in it, too), a playlist (.m3u, .m3u8: its files), a URL (http, https, file, data) or
    .B \-
    for standard input.
    .B \-\-files\-from
    reads names from a file: one a line, or with a zero byte after each.
    Frames count from 0.
    A range is
    .IR A ..< B ,
    .IR A ... B ,
    .IR A \- B
    (both ends),
    .IR A ..
    or
    .IR A .
    Commas join ranges to a list;
    .B \-1
    is the last frame,
    .B 0\-:10
    every tenth one, and
    .B 1.5s\-3s
    are those shown from 1.5 s until 3 s.
    Sizes take K, M and G, powers of 1024.
    .SH EXIT STATUS
    .TP
    .B 0
    All files were used; damage is reported on standard error.
    .TP
    .B 1
    A file cannot be used, or output cannot be written. The other files are still processed.
    With
    .BR \-\-strict ,
    also: a file has a warning, or the transfer of a URL was cut off.
    .TP
    .B 2
    Several files were given, and none can be used.
    .TP
    .B 3
    All files were used, but the transfer of a URL was cut off. What has arrived is used.
    .TP
    .B 64
    The usage is wrong.
    .TP
    .BR 128 + \fIN\fR
    Signal \fIN\fR ended the command; 141 without a message if the reader of
    .B info
    or of a help text has left.
    .PP
    .B gallop compare
    ends with 0 if nothing differs, with 1 if something does, and with 2 if the two cannot be compared.
    .SH EXAMPLES
    .TP
    .B gallop film.gif
    Plays a file in the terminal.
    .TP
    .B gallop info film.gif
    Describes a file.
    .TP
    .B gallop info \-r \-\-sort bytes \-\-format \(aq{width}x{height} {path}\(aq pictures
    Lists all GIFs below a folder, the smallest files first.
    .TP
    .B gallop decode film.gif \-\-output frames/
    Writes every frame as PNG.
    .TP
    .B gallop decode *.gif \-\-frames \-1 \-\-output \(aqlast/{name}.png\(aq
    Writes the last frame of each file.
    .TP
    .B gallop decode film.gif \-\-output film.y4m
    Writes a video in which every delay is exact.
    .TP
    .B gallop decode film.gif \-\-format y4m \-\-output \- | ffmpeg \-i \- film.mp4
    Converts a GIF to another video format. For browsers and phones, add
    .B \-vf format=yuv420p
    after
    .BR "\-i \-" ;
    the sides must be even then.
    .TP
    .B gallop play \-\-window *.gif
    Plays a wall of GIFs in a window; this needs SDL 2.
    .SH SEE ALSO
    .BR ffmpeg (1),
    .BR chafa (1),
    .BR libgallop (3)

    """#
}
