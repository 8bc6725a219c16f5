package dev.wisent.operation.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;

/**
 * What is to change about a view.
 *
 * @param on null where that stays
 * @param pipeline null where that stays
 */
public record ViewModRequest(Namespace namespace, Namespace on, RawDocument pipeline) {}
