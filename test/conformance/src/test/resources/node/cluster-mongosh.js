// A sharded cluster in mongosh. Run as: mongosh URI cluster-mongosh.js
const assert = require('assert');

load(`${__dirname}/mongosh-checks.js`);

const shell = db.getSiblingDB('mongosh_cluster_tests');
const config = db.getSiblingDB('config');
const users = `${shell.getName()}.users`;
const orders = `${shell.getName()}.orders`;

function ok(reply) {
  assert.strictEqual(Number(reply.ok), 1);
  return reply;
}

shell.dropDatabase();

check('what the router is', () => {
  assert.strictEqual(db.hello().msg, 'isdbgrid');
  assert.strictEqual(db.hello().setName, undefined);
  assert.strictEqual(db.serverStatus().process, 'mongos');
  let refusal = 'none';
  try {
    rs.status();
  } catch (e) {
    refusal = e.message;
  }
  assert.strictEqual(refusal, 'replSetGetStatus is not supported through mongos');
});

check('sh.enableSharding() and sh.shardCollection()', () => {
  ok(sh.enableSharding(shell.getName()));
  ok(sh.shardCollection(users, { _id: 'hashed' }));
  assert.strictEqual(config.collections.countDocuments({ _id: users }), 1);
});

check('zones before a collection is sharded', () => {
  const [first, second] = sh.listShards().map((shard) => shard._id);
  ok(sh.addShardToZone(first, 'early'));
  ok(sh.addShardTag(second, 'late'));
  ok(sh.updateZoneKeyRange(orders, { day: MinKey() }, { day: 100 }, 'early'));
  ok(sh.addTagRange(orders, { day: 100 }, { day: MaxKey() }, 'late'));
  ok(sh.shardCollection(orders, { day: 1 }));
  assert.strictEqual(config.tags.countDocuments({ ns: orders }), 2);
});

check('documents on all shards', () => {
  const documents = [];
  for (let i = 0; i < 200; i++) {
    documents.push({ _id: i, day: i, n: i % 7 });
  }
  shell.users.insertMany(documents);
  shell.orders.insertMany(documents);
  assert.strictEqual(shell.users.countDocuments(), 200);
  assert.strictEqual(shell.orders.find({ day: { $gte: 95, $lt: 105 } }).itcount(), 10);
  const sorted = shell.orders.find().sort({ day: -1 }).limit(3).toArray().map((each) => each.day);
  same(sorted, [199, 198, 197]);
  assert.strictEqual(shell.users.find().batchSize(7).itcount(), 200);
});

check('updates, deletes and a bulk write', () => {
  assert.strictEqual(shell.users.updateMany({ n: 3 }, { $set: { three: true } }).modifiedCount, 29);
  assert.strictEqual(shell.users.updateOne({ _id: 5 }, { $inc: { n: 10 } }).modifiedCount, 1);
  assert.strictEqual(shell.users.deleteMany({ _id: { $gte: 190 } }).deletedCount, 10);
  const result = shell.users.bulkWrite([
    { insertOne: { document: { _id: 1000 } } },
    { updateOne: { filter: { _id: 1 }, update: { $set: { x: 1 } } } },
    { deleteOne: { filter: { _id: 2 } } },
    { replaceOne: { filter: { _id: 3 }, replacement: { y: 1 } } },
  ]);
  assert.strictEqual(result.insertedCount + result.modifiedCount + result.deletedCount, 4);
});

check('aggregation', () => {
  const groups = shell.orders.aggregate([
    { $group: { _id: { $lt: ['$day', 100] }, n: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]).toArray();
  same(groups, [{ _id: false, n: 100 }, { _id: true, n: 100 }]);
});

check('sh.splitAt() and sh.splitFind()', () => {
  ok(sh.splitAt(orders, { day: 50 }));
  ok(sh.splitFind(orders, { day: 150 }));
  const { uuid } = config.collections.findOne({ _id: orders });
  assert.ok(config.chunks.countDocuments({ uuid }) >= 4);
});

check('the balancer switches', () => {
  sh.stopBalancer();
  assert.strictEqual(sh.getBalancerState(), false);
  sh.startBalancer();
  assert.strictEqual(sh.getBalancerState(), true);
  sh.setBalancerState(false);
  sh.isBalancerRunning();
  sh.disableBalancing(users);
  sh.enableBalancing(users);
  sh.setBalancerState(true);
});

check('sh.removeRangeFromZone() and sh.removeShardFromZone()', () => {
  const [first, second] = sh.listShards().map((shard) => shard._id);
  ok(sh.removeRangeFromZone(orders, { day: MinKey() }, { day: 100 }));
  ok(sh.removeTagRange(orders, { day: 100 }, { day: MaxKey() }, 'late'));
  ok(sh.removeShardFromZone(first, 'early'));
  ok(sh.removeShardTag(second, 'late'));
});

check('sh.status()', () => {
  const status = sh.status();
  const text = EJSON.stringify(status.value ?? status);
  assert.ok(text.includes('shard0') && text.includes('shard1'), text);
  assert.ok(text.includes(users), text);
});

check('where documents are', () => {
  const of = sh.getShardedDataDistribution().toArray().find((each) => each.ns === users);
  assert.strictEqual(of.shards.length, 2);
  assert.strictEqual(of.shards.reduce((sum, each) => sum + Number(each.numOwnedDocuments), 0),
    shell.users.countDocuments());
  assert.ok(shell.users.getShardDistribution());
  same(shell.users.getShardLocation(), { shards: ['shard0', 'shard1'], sharded: true });
  assert.ok(shell.users.getShardVersion().version);
});

check('settings of collections', () => {
  sh.disableAutoMerger(users);
  sh.enableAutoMerger(users);
  sh.stopAutoMerger();
  assert.strictEqual(sh.isAutoMergerEnabled(), false);
  sh.startAutoMerger();
  ok(sh.disableMigrations(users));
  ok(sh.enableMigrations(users));
  sh.disableAutoSplit();
  sh.enableAutoSplit();
  ok(db.adminCommand({ configureCollectionBalancing: users, chunkSize: 64 }));
});

check('what the cluster knows', () => {
  assert.strictEqual(sh.listShards({ _id: 'shard1' }).length, 1);
  same(sh.isConfigShardEnabled(), { enabled: false });
  same(shell.checkMetadataConsistency({ checkIndexes: true }).toArray(), []);
  const verbose = sh.status(true);
  assert.strictEqual((verbose.value ?? verbose)['active mongoses'].length, 2);
});

check('whether a collection is balanced', () => {
  const status = sh.balancerCollectionStatus(users);
  assert.strictEqual(Number(status.chunkSize), 64); // as it was set above
  assert.strictEqual(status.balancerCompliant, true);
});

check('documents that move', () => {
  const name = `${shell.getName()}.moved`;
  ok(sh.shardCollection(name, { _id: 1 }));
  shell.moved.insertMany([...Array(100).keys()].map((i) => ({ _id: i, n: i % 7 })));
  const id = config.collections.findOne({ _id: name }).uuid;
  const owners = () => config.chunks.distinct('shard', { uuid: id });
  const [from] = owners();
  const to = from === 'shard0' ? 'shard1' : 'shard0';
  ok(sh.moveChunk(name, { _id: 1 }, to));
  same(owners(), [to]);
  ok(sh.moveRange(name, from, { _id: MinKey() }, { _id: 50 }));
  assert.strictEqual(owners().length, 2);
  ok(sh.reshardCollection(name, { n: 1 }));
  same(config.collections.findOne({ _id: name }).key, { n: 1 });
  assert.strictEqual(shell.moved.find({ n: 3 }).itcount(), 14);
  ok(sh.unshardCollection(name, to));
  ok(sh.moveCollection(name, from));
  assert.strictEqual(shell.moved.countDocuments(), 100);
});

check('metadata is not written', () => {
  let refusal = 'none';
  try {
    config.chunks.deleteMany({});
  } catch (e) {
    refusal = e.message;
  }
  assert.ok(refusal.includes('cannot be changed directly'), refusal);
});

check('operations of shards', () => {
  assert.ok(Array.isArray(db.currentOp(true).inprog));
  assert.ok(db.getSiblingDB('admin').aggregate([{ $currentOp: { idleConnections: true } }]).toArray()
    .every((each) => each.shard));
  ok(db.getSiblingDB('admin').runCommand({ fsync: 1, lock: true }));
  ok(db.getSiblingDB('admin').runCommand({ fsyncUnlock: 1 }));
});

check('a transaction', () => {
  const session = db.getMongo().startSession();
  const inside = session.getDatabase(shell.getName());
  session.startTransaction();
  inside.plain.insertOne({ _id: 1 });
  inside.plain.insertOne({ _id: 2 });
  session.commitTransaction();
  session.startTransaction();
  inside.plain.insertOne({ _id: 3 });
  session.abortTransaction();
  session.endSession();
  assert.strictEqual(shell.plain.countDocuments(), 2);
});

check('show dbs, collections, indexes', () => {
  const names = db.adminCommand({ listDatabases: 1 }).databases.map((each) => each.name);
  assert.ok(names.includes(shell.getName()) && !names.includes('local'));
  assert.ok(shell.getCollectionNames().includes('users'));
  shell.users.createIndex({ n: 1 });
  assert.strictEqual(shell.users.getIndexes().length, 3);
  assert.strictEqual(shell.stats().collections >= 3, true);
});

report();
