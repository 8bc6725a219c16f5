/** Commands that report on the nodes of the cluster, or act on all of them, through a router. */
package dev.wisent.cluster.router.diagnostic;
