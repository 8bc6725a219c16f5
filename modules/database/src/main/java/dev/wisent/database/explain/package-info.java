/**
 * Plans and what they did, as documents in the form that explain has in MongoDB 8.0. {@link
 * dev.wisent.database.explain.Explainer} plans an operation and runs its plan without effects.
 * {@link dev.wisent.database.explain.ReportDocument} writes the sections of a reply, {@link
 * dev.wisent.database.explain.StageDocument} a tree of steps, {@link
 * dev.wisent.database.explain.BoundsText} the bounds of a scan. No state.
 */
package dev.wisent.database.explain;
