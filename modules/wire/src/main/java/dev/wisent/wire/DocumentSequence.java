package dev.wisent.wire;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** A kind 1 section: documents that belong to a field of the command body. */
public record DocumentSequence(String name, List<RawDocument> documents) {}
