// What people do in mongosh, with assertions. Run as: mongosh URI mongosh-session.js
const assert = require('assert');

const shell = db.getSiblingDB('mongosh_tests');
let passed = 0;
let failed = 0;

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
  assert.strictEqual(EJSON.stringify(actual), EJSON.stringify(expected));
}

function codeOf(body) {
  try {
    body();
  } catch (e) {
    return e.code;
  }
  return undefined;
}

shell.dropDatabase();

check('insert and find', () => {
  const one = shell.people.insertOne({ _id: 1, name: 'Ada', born: 1815, tags: ['a', 'b'] });
  assert.strictEqual(one.acknowledged, true);
  assert.strictEqual(one.insertedId, 1);
  const many = shell.people.insertMany([
    { _id: 2, name: 'Grace', born: 1906 },
    { _id: 3, name: 'Edsger', born: 1930 },
  ]);
  assert.strictEqual(Object.keys(many.insertedIds).length, 2);
  same(shell.people.findOne({ name: 'Grace' }), { _id: 2, name: 'Grace', born: 1906 });
  same(
    shell.people.find({ born: { $gt: 1900 } }, { _id: 0, name: 1 }).sort({ name: 1 }).toArray(),
    [{ name: 'Edsger' }, { name: 'Grace' }],
  );
  assert.strictEqual(shell.people.countDocuments({ tags: 'b' }), 1);
  assert.strictEqual(shell.people.estimatedDocumentCount(), 3);
  same(shell.people.distinct('born').sort(), [1815, 1906, 1930]);
});

check('generated ids', () => {
  const result = shell.generated.insertOne({});
  assert.ok(result.insertedId instanceof ObjectId);
  assert.ok(shell.generated.findOne({ _id: result.insertedId }));
});

check('update, replace, upsert', () => {
  const updated = shell.people.updateOne({ _id: 1 }, { $inc: { born: 1 }, $push: { tags: 'c' } });
  assert.strictEqual(updated.matchedCount, 1);
  assert.strictEqual(updated.modifiedCount, 1);
  same(shell.people.findOne({ _id: 1 }).tags, ['a', 'b', 'c']);
  const many = shell.people.updateMany({}, { $set: { seen: true } });
  assert.strictEqual(many.modifiedCount, 3);
  const upserted = shell.people.updateOne({ _id: 9 }, { $set: { name: 'New' } }, { upsert: true });
  // The shell calls it insertedId here, too.
  assert.strictEqual(upserted.insertedId, 9);
  shell.people.replaceOne({ _id: 9 }, { name: 'Newer' });
  same(shell.people.findOne({ _id: 9 }), { _id: 9, name: 'Newer' });
  assert.strictEqual(
    shell.people.findOneAndUpdate({ _id: 9 }, { $set: { name: 'Newest' } }, { returnDocument: 'after' }).name,
    'Newest',
  );
});

check('delete', () => {
  assert.strictEqual(shell.people.deleteOne({ _id: 9 }).deletedCount, 1);
  assert.strictEqual(shell.people.findOneAndDelete({ _id: 3 }).name, 'Edsger');
  assert.strictEqual(shell.people.deleteMany({ seen: true }).deletedCount, 2);
  assert.strictEqual(shell.people.findOne(), null);
});

check('numbers keep their types', () => {
  shell.numbers.insertOne({ i: NumberInt(7), l: NumberLong('9007199254740993'), d: 1.5, m: NumberDecimal('0.10') });
  const found = shell.numbers.findOne();
  assert.strictEqual(found.l.toString(), '9007199254740993');
  assert.strictEqual(found.m.toString(), '0.10');
  assert.strictEqual(shell.numbers.countDocuments({ i: { $type: 'int' }, l: { $type: 'long' } }), 1);
});

check('cursors over several batches', () => {
  shell.many.insertMany(Array.from({ length: 1000 }, (_, i) => ({ _id: i, mod: i % 7 })));
  const cursor = shell.many.find({ mod: 3 }).sort({ _id: -1 }).batchSize(10);
  const ids = [];
  while (cursor.hasNext()) {
    ids.push(cursor.next()._id);
  }
  assert.strictEqual(ids.length, 143);
  assert.strictEqual(ids[0], 997);
  assert.strictEqual(ids[142], 3);
  assert.strictEqual(shell.many.find().batchSize(7).toArray().length, 1000);
  assert.strictEqual(shell.many.find().skip(990).limit(100).toArray().length, 10);
  assert.strictEqual(shell.many.find().itcount(), 1000);
});

check('indexes', () => {
  assert.strictEqual(shell.many.createIndex({ mod: 1, _id: -1 }), 'mod_1__id_-1');
  same(
    shell.many.getIndexes().map((index) => index.name).sort(),
    ['_id_', 'mod_1__id_-1'],
  );
  assert.strictEqual(shell.many.find({ mod: 2 }).hint('mod_1__id_-1').itcount(), 143);
  shell.many.dropIndex('mod_1__id_-1');
  same(shell.many.getIndexKeys(), [{ _id: 1 }]);
  assert.strictEqual(codeOf(() => shell.many.dropIndex('none')), 27);
});

check('unique violation', () => {
  shell.unique.createIndex({ email: 1 }, { unique: true });
  shell.unique.insertOne({ email: 'ada@example.org' });
  assert.strictEqual(codeOf(() => shell.unique.insertOne({ email: 'ada@example.org' })), 11000);
  assert.strictEqual(
    codeOf(() => shell.unique.updateOne({ _id: 'x' }, { $set: { email: 'ada@example.org' } }, { upsert: true })),
    11000,
  );
  assert.strictEqual(shell.unique.countDocuments(), 1);
});

check('capped and tailable', () => {
  shell.createCollection('log', { capped: true, size: 65536, max: 5 });
  assert.strictEqual(shell.log.isCapped(), true);
  shell.log.insertMany(Array.from({ length: 8 }, (_, i) => ({ _id: i })));
  same(shell.log.find().toArray().map((d) => d._id), [3, 4, 5, 6, 7]);
  const tail = shell.log.find().tailable({ awaitData: true }).maxAwaitTimeMS(200);
  for (let expected = 3; expected <= 7; expected++) {
    assert.strictEqual(tail.tryNext()._id, expected);
  }
  assert.strictEqual(tail.tryNext(), null);
  shell.log.insertOne({ _id: 8 });
  assert.strictEqual(tail.tryNext()._id, 8);
  tail.close();
});

check('collections', () => {
  shell.createCollection('renamed_later');
  shell.renamed_later.renameCollection('renamed');
  const names = shell.getCollectionNames();
  assert.ok(names.includes('renamed'));
  assert.ok(!names.includes('renamed_later'));
  assert.strictEqual(shell.renamed.drop(), true);
  assert.strictEqual(shell.getCollectionInfos({ name: 'log' })[0].options.capped, true);
  assert.ok(db.getMongo().getDBNames().includes('mongosh_tests'));
});

check('db.stats()', () => {
  const stats = shell.stats();
  assert.strictEqual(stats.db, 'mongosh_tests');
  assert.strictEqual(Number(stats.ok), 1);
  assert.ok(stats.collections >= 5);
  assert.ok(Number(stats.objects) >= 1000);
  assert.ok(Number(stats.dataSize) > 10000);
  assert.ok(Number(stats.indexes) >= stats.collections);
});

check('collection validate', () => {
  const report = shell.many.validate({ full: true });
  assert.strictEqual(report.valid, true);
  assert.strictEqual(Number(report.nrecords), 1000);
});

check('db.serverStatus()', () => {
  const status = shell.serverStatus();
  assert.strictEqual(Number(status.ok), 1);
  assert.ok(status.version.startsWith('8.0.'));
  assert.ok(Number(status.uptime) >= 0);
  assert.ok(Number(status.connections.current) >= 1);
  assert.ok(Number(status.opcounters.insert) >= 1000);
  assert.ok(Number(status.network.numRequests) > 0);
  assert.ok(status.metrics.cursor.open.total !== undefined);
});

check('db.currentOp()', () => {
  const operations = db.getSiblingDB('admin').currentOp({ $all: true });
  assert.strictEqual(Number(operations.ok), 1);
  assert.ok(Array.isArray(operations.inprog));
  assert.ok(operations.inprog.length >= 1);
});

check('small questions that mongosh asks', () => {
  assert.strictEqual(Number(shell.runCommand({ ping: 1 }).ok), 1);
  assert.ok(shell.version().startsWith('8.0.'));
  assert.ok(shell.hello().isWritablePrimary);
  assert.ok(shell.hostInfo().system.numCores >= 1);
  assert.ok(Array.isArray(shell.adminCommand({ getLog: 'startupWarnings' }).log));
  assert.ok(shell.adminCommand({ getCmdLineOpts: 1 }).argv);
  assert.ok(shell.adminCommand({ listCommands: 1 }).commands.find !== undefined);
  assert.strictEqual(codeOf(() => shell.runCommand({ noSuchThing: 1 })), 59);
});

check('explain', () => {
  shell.explained.insertMany([...Array(50).keys()].map((i) => ({ _id: i, n: i, m: i % 5 })));
  shell.explained.createIndex({ m: 1, n: 1 });
  const planned = shell.explained.find({ m: 2 }).explain();
  assert.strictEqual(planned.queryPlanner.winningPlan.stage, 'FETCH');
  assert.strictEqual(planned.queryPlanner.winningPlan.inputStage.indexName, 'm_1_n_1');
  same(planned.queryPlanner.winningPlan.inputStage.indexBounds.m, ['[2, 2]']);
  assert.strictEqual(planned.executionStats, undefined);
  const run = shell.explained.find({ m: 2, n: { $gt: 20 } }).explain('executionStats');
  assert.strictEqual(run.executionStats.nReturned, 6);
  assert.strictEqual(run.executionStats.totalKeysExamined, 6);
  assert.strictEqual(run.executionStats.executionStages.inputStage.stage, 'IXSCAN');
  const sorted = shell.explained.find().sort({ x: 1 }).limit(3).explain('allPlansExecution');
  assert.strictEqual(sorted.executionStats.executionStages.stage, 'SORT');
  assert.ok(Array.isArray(sorted.executionStats.allPlansExecution));
  const pipeline = shell.explained
    .explain('executionStats')
    .aggregate([{ $match: { m: 2 } }, { $group: { _id: null, n: { $sum: 1 } } }]);
  assert.strictEqual(pipeline.stages[0].$cursor.executionStats.nReturned, 10);
  assert.ok(pipeline.stages[1].$group);
  const pushed = shell.explained.explain().aggregate([{ $match: { m: 2 } }]);
  assert.strictEqual(pushed.queryPlanner.winningPlan.inputStage.stage, 'IXSCAN');
  const count = shell.explained.explain().count({ m: 2 });
  assert.strictEqual(count.queryPlanner.winningPlan.stage, 'COUNT');
  const distinct = shell.explained.explain().distinct('m');
  assert.ok(distinct.queryPlanner.winningPlan.stage);
  const update = shell.explained
    .explain('executionStats')
    .update({ m: 2 }, { $set: { z: 1 } }, { multi: true });
  assert.strictEqual(update.executionStats.executionStages.nWouldModify, 10);
  const removed = shell.explained.explain('executionStats').remove({ m: 2 });
  assert.strictEqual(removed.executionStats.executionStages.nWouldDelete, 10);
  const one = shell.explained.explain().findOneAndDelete({ m: 2 });
  assert.strictEqual(one.queryPlanner.winningPlan.stage, 'DELETE');
  assert.strictEqual(shell.explained.countDocuments({ m: 2 }), 10);
});

check('plan cache', () => {
  shell.explained.createIndex({ n: 1 });
  shell.explained.find({ m: 1, n: { $gt: 3 } }).toArray();
  const cache = shell.explained.getPlanCache();
  assert.strictEqual(cache.list().length, 1);
  same(cache.list([{ $project: { createdFromQuery: 1 } }]).map((e) => Object.keys(e)), [
    ['createdFromQuery'],
  ]);
  cache.clearPlansByQuery({ m: 9, n: { $gt: 9 } });
  assert.strictEqual(cache.list().length, 0);
  cache.clear();
});

check('dropDatabase', () => {
  shell.dropDatabase();
  assert.ok(!db.getMongo().getDBNames().includes('mongosh_tests'));
});

print(`${passed} checks passed, ${failed} failed`);
if (failed > 0) {
  quit(1);
}
