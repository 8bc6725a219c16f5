// What people do in mongosh, with assertions. Run as: mongosh URI mongosh-session.js
const assert = require('assert');

const shell = db.getSiblingDB('mongosh_tests');
load(`${__dirname}/mongosh-checks.js`);

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
    indexesOf(shell.many).map((index) => index.name).sort(),
    ['_id_', 'mod_1__id_-1'],
  );
  assert.strictEqual(shell.many.find({ mod: 2 }).hint('mod_1__id_-1').itcount(), 143);
  shell.many.dropIndex('mod_1__id_-1');
  same(shell.many.getIndexKeys().filter((key) => key._id !== 'hashed'), [{ _id: 1 }]);
  assert.strictEqual(codeOf(() => shell.many.dropIndex('none')), 27);
});

check('kinds and options of indexes', () => {
  shell.options.insertMany(Array.from({ length: 20 }, (_, i) => ({ _id: i, n: i, on: new Date() })));
  shell.options.createIndex({ on: 1 }, { expireAfterSeconds: 3600 });
  shell.options.createIndex({ n: 1 }, { partialFilterExpression: { n: { $gte: 10 } }, name: 'upper' });
  shell.options.createIndex({ n: 'hashed' });
  shell.options.createIndex({ '$**': 1 }, { wildcardProjection: { extra: 1 } });
  shell.options.createIndex({ maybe: -1 }, { sparse: true });
  same(indexesOf(shell.options), [
    { v: 2, key: { _id: 1 }, name: '_id_' },
    { v: 2, key: { on: 1 }, name: 'on_1', expireAfterSeconds: 3600 },
    { v: 2, key: { n: 1 }, name: 'upper', partialFilterExpression: { n: { $gte: 10 } } },
    { v: 2, key: { n: 'hashed' }, name: 'n_hashed' },
    { v: 2, key: { '$**': 1 }, name: '$**_1', wildcardProjection: { extra: 1 } },
    { v: 2, key: { maybe: -1 }, name: 'maybe_-1', sparse: true },
  ]);
  assert.strictEqual(codeOf(() => shell.options.createIndex({ on: 1 }, { expireAfterSeconds: 60 })), 85);
  assert.strictEqual(codeOf(() => shell.options.createIndex({ other: 1 }, { name: 'upper' })), 86);
  shell.runCommand({ collMod: 'options', index: { keyPattern: { on: 1 }, expireAfterSeconds: 7200 } });
  assert.strictEqual(shell.options.getIndexes().find((i) => i.name === 'on_1').expireAfterSeconds, 7200);
});

check('hidden indexes', () => {
  shell.options.createIndex({ n: 1, on: 1 });
  assert.strictEqual(scanOf(shell.options.find({ n: 5 }).hint('n_1_on_1').explain()).indexName, 'n_1_on_1');
  const reply = shell.options.hideIndex('n_1_on_1');
  const hidden = isSpread(shell.options) ? Object.values(reply.raw)[0] : reply;
  assert.strictEqual(hidden.hidden_old, false);
  assert.strictEqual(hidden.hidden_new, true);
  assert.strictEqual(shell.options.getIndexes().find((i) => i.name === 'n_1_on_1').hidden, true);
  assert.notStrictEqual(scanOf(shell.options.find({ n: 5 }).explain()).indexName, 'n_1_on_1');
  assert.strictEqual(codeOf(() => shell.options.find({ n: 5 }).hint('n_1_on_1').toArray()), 2);
  shell.options.unhideIndex('n_1_on_1');
  assert.strictEqual(shell.options.find({ n: 5 }).hint('n_1_on_1').itcount(), 1);
});

check('explain', () => {
  shell.explained.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i, a: i % 10, b: i })));
  shell.explained.createIndex({ a: 1, b: 1 });
  const plan = shell.explained.find({ a: 3, b: { $gt: 50 } }).sort({ b: -1 }).explain();
  assert.strictEqual(plannerOf(plan).namespace, 'mongosh_tests.explained');
  assert.strictEqual(planOf(plan).stage, 'FETCH');
  const scan = scanOf(plan);
  assert.strictEqual(scan.stage, 'IXSCAN');
  assert.strictEqual(scan.direction, 'backward');
  same(scan.keyPattern, { a: 1, b: 1 });
  same(scan.indexBounds, { a: ['[3, 3]'], b: ['[inf.0, 50)'] });
  assert.strictEqual(plan.executionStats, undefined);
  assert.strictEqual(Number(plan.ok), 1);

  const stats = shell.explained.find({ a: 3, b: { $gt: 50 } }).explain('executionStats').executionStats;
  const runs = stats.executionStages.shards || [stats];
  assert.ok(runs.every((run) => run.executionSuccess === true));
  same([stats.nReturned, stats.totalKeysExamined, stats.totalDocsExamined], [5, 5, 5]);

  const projected = shell.explained.find({ a: 3 }, { _id: 0, b: 1 }).explain(true);
  const covered = projected.executionStats;
  // A shard looks for the shard key in the documents.
  const spread = isSpread(shell.explained);
  assert.strictEqual(planOf(projected).stage, spread ? 'PROJECTION_SIMPLE' : 'PROJECTION_COVERED');
  same([covered.nReturned, covered.totalDocsExamined], [10, spread ? 10 : 0]);

  assert.strictEqual(scanOf(shell.explained.find({ c: 1 }).explain()).stage, 'COLLSCAN');
});

check('explain of other commands', () => {
  const explained = shell.explained.explain('executionStats');
  assert.strictEqual(scanOf(explained.count({ a: 3 })).stage, 'COUNT_SCAN');
  assert.strictEqual(scanOf(explained.distinct('a')).stage, 'DISTINCT_SCAN');
  assert.strictEqual(planOf(explained.update({ a: 3 }, { $set: { c: 1 } })).stage, 'UPDATE');
  assert.strictEqual(planOf(explained.remove({ a: 3 })).stage, 'BATCHED_DELETE');
  explained.findAndModify({ query: { a: 3 }, update: { $set: { c: 1 } } });
  assert.strictEqual(scanOf(explained.aggregate([{ $match: { a: 3 } }])).indexName, 'a_1_b_1');
  // Nothing of this has changed a document.
  assert.strictEqual(shell.explained.countDocuments({ a: 3, c: { $exists: false } }), 10);
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
  const reports = isSpread(shell.many) ? Object.values(report.raw) : [report];
  assert.strictEqual(reports.reduce((sum, each) => sum + Number(each.nrecords), 0), 1000);
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

check('log levels, locks and the databases of the server', () => {
  shell.setLogLevel(1, 'replication.election');
  assert.strictEqual(Number(shell.getLogComponents().replication.election.verbosity), 1);
  shell.setLogLevel(-1, 'replication.election');
  shell.setLogLevel(0);
  assert.strictEqual(Number(shell.getLogComponents().verbosity), 0);
  const isLocked = () => db.getSiblingDB('admin').currentOp().inprog.some((op) => op.fsyncLock);
  shell.fsyncLock();
  try {
    assert.ok(isLocked());
  } finally {
    shell.fsyncUnlock();
  }
  assert.ok(!isLocked());
  const names = db.getMongo().getDBNames();
  for (const name of ['admin', 'config']) {
    assert.ok(names.includes(name), name);
  }
  assert.strictEqual(names.includes('local'), !throughRouter);
  if (throughRouter) {
    assert.strictEqual(codeOf(() => db.getSiblingDB('local').startup_log.findOne()), 20);
  } else {
    assert.ok(db.getSiblingDB('local').startup_log.findOne().buildinfo.version.startsWith('8.0.'));
    assert.strictEqual(codeOf(() => shell.many.watch().tryNext()), 40573);
  }
});

check('dropDatabase', () => {
  shell.dropDatabase();
  assert.ok(!db.getMongo().getDBNames().includes('mongosh_tests'));
});

report();
