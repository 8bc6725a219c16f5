/** Commands about plans: explain, the plan cache and index filters. */
package dev.wisent.server.command.plan;
