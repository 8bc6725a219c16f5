'use strict';

// Ends a server and deletes its data when the test that started it is gone without stop(). The end of the test's
// process, by a signal too, is the end of this one's input; until then a line of it names the server.

const fs = require('node:fs');
const readline = require('node:readline');

const STOP_TIMEOUT_MILLIS = 30_000;
const POLL_MILLIS = 50;

const directory = process.argv[2];
let server = null;

readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => (line === 'stopped' ? process.exit(0) : (server = Number(line))))
  .on('close', () => {
    if (server !== null && signal('SIGTERM')) {
      awaitEnd(Date.now() + STOP_TIMEOUT_MILLIS);
    } else {
      clean();
    }
  });

function awaitEnd(deadline) {
  if (!signal(Date.now() < deadline ? 0 : 'SIGKILL')) {
    clean();
    return;
  }
  setTimeout(awaitEnd, POLL_MILLIS, deadline);
}

/** Whether there is still a server that gets it. */
function signal(name) {
  try {
    return process.kill(server, name);
  } catch {
    return false;
  }
}

function clean() {
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
