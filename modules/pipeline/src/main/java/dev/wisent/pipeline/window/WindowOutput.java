package dev.wisent.pipeline.window;

import dev.wisent.query.path.FieldPath;

/** A field that a window function fills. */
record WindowOutput(FieldPath path, WindowFunction function) {}
