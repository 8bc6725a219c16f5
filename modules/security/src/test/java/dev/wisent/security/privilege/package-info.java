/** Tests of what privileges allow. */
package dev.wisent.security.privilege;
