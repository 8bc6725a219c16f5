package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import java.util.List;

/** Documents to insert. When ordered, the first failure ends the batch. */
public record InsertRequest(
    Namespace namespace, List<RawDocument> documents, boolean ordered, boolean bypassValidation) {}
