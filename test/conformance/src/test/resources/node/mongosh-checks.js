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

// Some of what a node has is out of a router's reach.
var throughRouter = db.hello().msg === 'isdbgrid';

function isSpread(collection) {
  return throughRouter && collection.stats().sharded;
}

// The indexes that were asked for: one of a hashed shard key is made with it.
function indexesOf(collection) {
  return collection.getIndexes().filter((index) => index.key._id !== 'hashed');
}

// What the planner of the node tells, or that of the first shard.
function plannerOf(explained) {
  const whole = explained.shards ? Object.values(explained.shards)[0] : explained;
  const planner = whole.queryPlanner;
  return planner.winningPlan.shards ? planner.winningPlan.shards[0] : planner;
}

// A plan without the stage that leaves out what a shard does not own.
function owned(stage) {
  if (!stage.inputStage) {
    return stage;
  }
  const input = owned(stage.inputStage);
  return stage.stage === 'SHARDING_FILTER' ? input : { ...stage, inputStage: input };
}

function planOf(explained) {
  return owned(plannerOf(explained).winningPlan);
}

// The step of a plan that has no other below it.
function scanOf(explained) {
  let stage = planOf(explained);
  while (stage.inputStage) {
    stage = stage.inputStage;
  }
  return stage;
}

function report() {
  print(`${passed} checks passed, ${failed} failed`);
  if (failed > 0) {
    quit(1);
  }
}
