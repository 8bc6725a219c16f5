package dev.wisent.operation.definition;

import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import java.util.Map;

/**
 * What is to change about a collection.
 *
 * @param options in the form that is stored; an option without a value is to go
 * @param index null where no index changes
 * @param dryRun whether it is only tried out
 */
public record CollModRequest(
    Namespace namespace, Map<String, RawValue> options, IndexModification index, boolean dryRun) {}
