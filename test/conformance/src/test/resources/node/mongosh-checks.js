// Checks of a script that is run in mongosh: load(`${__dirname}/mongosh-checks.js`) before them,
// report() behind them.
var passed = 0;
var failed = 0;

function check(name, body) {
  try {
    body();
  } catch (e) {
    failed++;
    print(`FAILED - ${name}: ${e.stack}`);
    return;
  }
  passed++;
  print(`ok - ${name}`);
}

// The shell's documents come from another realm, so assert.deepStrictEqual would refuse them.
function same(actual, expected) {
  require('assert').strictEqual(EJSON.stringify(actual), EJSON.stringify(expected));
}

function report() {
  print(`${passed} checks passed, ${failed} failed`);
  if (failed > 0) {
    quit(1);
  }
}
