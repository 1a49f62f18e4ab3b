// The module that users import: everything public of the engine under one name.
@_exported public import GIFBatch
@_exported public import GIFCaching
@_exported public import GIFDecoding
@_exported public import GIFEditing
@_exported public import GIFFlashes
@_exported public import GIFLoading
@_exported public import GIFPlayback
@_exported public import GIFTimeline
@_exported public import PNGExport
