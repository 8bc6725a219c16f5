/** Which keys of an index a query needs: from conditions to intervals of values. */
package dev.wisent.query.bounds;
