/** Stages that gather documents in groups. */
package dev.wisent.query.aggregate.group;
