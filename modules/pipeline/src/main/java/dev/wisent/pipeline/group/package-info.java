/** Stages that gather documents in groups. */
package dev.wisent.pipeline.group;
