/** Makes a site of the documents: pages with contents beside them, and a search without a server. */
package dev.wisent.site;
