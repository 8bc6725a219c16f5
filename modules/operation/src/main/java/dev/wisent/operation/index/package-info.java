/**
 * What an index may be: {@link dev.wisent.operation.index.IndexSpec} checks a specification as
 * MongoDB does and brings it into the form that is stored. Pure functions.
 */
package dev.wisent.operation.index;
