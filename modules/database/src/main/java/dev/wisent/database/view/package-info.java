/**
 * Views: pipelines with a name, over a collection or another view of the same database. Each is a
 * document of its database's {@code system.views}, which is a collection like any other: so views
 * survive a restart, and reach the other members of a replica set, as documents do. Nothing is kept
 * in memory; a name is looked for among the views only where there is no collection of that name.
 */
package dev.wisent.database.view;
