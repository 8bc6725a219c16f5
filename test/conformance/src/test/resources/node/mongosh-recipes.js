// Ten recipes that people have used for years. Run as: mongosh URI mongosh-recipes.js
const assert = require('assert');

const shop = db.getSiblingDB('mongosh_recipes');
load(`${__dirname}/mongosh-checks.js`);

shop.dropDatabase();

check('shopping cart with embedded items', () => {
  shop.carts.insertOne({ _id: 'ada', items: [], total: 0 });
  const add = (sku, price, quantity) => {
    const again = shop.carts.updateOne(
      { _id: 'ada', 'items.sku': sku },
      { $inc: { 'items.$.quantity': quantity, total: price * quantity } },
    );
    if (again.matchedCount === 0) {
      shop.carts.updateOne(
        { _id: 'ada' },
        { $push: { items: { sku, price, quantity } }, $inc: { total: price * quantity } },
      );
    }
  };
  add('pen', 2, 1);
  add('ink', 7, 2);
  add('pen', 2, 3);
  same(shop.carts.findOne(), {
    _id: 'ada',
    items: [{ sku: 'pen', price: 2, quantity: 4 }, { sku: 'ink', price: 7, quantity: 2 }],
    total: 22,
  });
  shop.carts.updateOne({ _id: 'ada' }, { $pull: { items: { sku: 'ink' } }, $inc: { total: -14 } });
  same(shop.carts.findOne({}, { _id: 0, 'items.sku': 1, total: 1 }), {
    items: [{ sku: 'pen' }],
    total: 8,
  });
});

check('a page of a blog: projection, sort and limit', () => {
  for (let i = 0; i < 25; i++) {
    shop.posts.insertOne({ _id: i, title: `Post ${i}`, body: 'x'.repeat(1000), at: new Date(i) });
  }
  shop.posts.createIndex({ at: -1 });
  const page = shop.posts.find({}, { title: 1 }).sort({ at: -1 }).limit(10).toArray();
  assert.strictEqual(page.length, 10);
  same(page[0], { _id: 24, title: 'Post 24' });
  same(page[9], { _id: 15, title: 'Post 15' });
});

check('inventory of a game: $gt on an embedded field and $elemMatch', () => {
  shop.players.insertMany([
    { _id: 'bard', items: [{ kind: 'lute', damage: 1 }, { kind: 'sword', damage: 30 }] },
    { _id: 'mage', items: [{ kind: 'staff', damage: 25 }, { kind: 'sword', damage: 5 }] },
  ]);
  const ids = (filter) => shop.players.find(filter).sort({ _id: 1 }).map((p) => p._id).toArray();
  same(ids({ 'items.damage': { $gt: 20 } }), ['bard', 'mage']);
  same(ids({ 'items.kind': 'sword', 'items.damage': { $gt: 20 } }), ['bard', 'mage']);
  same(ids({ items: { $elemMatch: { kind: 'sword', damage: { $gt: 20 } } } }), ['bard']);
  same(
    shop.players.findOne({ _id: 'mage' }, { items: { $elemMatch: { damage: { $gt: 20 } } } }),
    { _id: 'mage', items: [{ kind: 'staff', damage: 25 }] },
  );
});

check('page views, counted in a document that is filled before', () => {
  const minutes = {};
  for (let hour = 0; hour < 24; hour++) {
    minutes[hour] = {};
    for (let minute = 0; minute < 60; minute++) {
      minutes[hour][minute] = 0;
    }
  }
  shop.views.insertOne({ _id: '/index', visits: { total: 0, minutes } });
  const before = shop.views.findOne();
  for (let i = 0; i < 5; i++) {
    shop.views.updateOne(
      { _id: '/index' },
      { $inc: { 'visits.minutes.0.0': 1, 'visits.minutes.23.59': 2, 'visits.total': 3 } },
    );
  }
  const after = shop.views.findOne();
  assert.strictEqual(after.visits.minutes['0']['0'], 5);
  assert.strictEqual(after.visits.minutes['23']['59'], 10);
  assert.strictEqual(after.visits.minutes['12']['30'], 0);
  assert.strictEqual(after.visits.total, 15);
  same(Object.keys(after.visits.minutes['0']), Object.keys(before.visits.minutes['0']));
});

check('findAndModify as a lock', () => {
  shop.jobs.insertMany([{ _id: 1, state: 'ready' }, { _id: 2, state: 'ready' }]);
  const take = (worker) =>
    shop.jobs.findAndModify({
      query: { state: 'ready' },
      sort: { _id: 1 },
      update: { $set: { state: 'running', worker } },
      new: true,
    });
  same(take('a'), { _id: 1, state: 'running', worker: 'a' });
  same(take('b'), { _id: 2, state: 'running', worker: 'b' });
  assert.strictEqual(take('c'), null);
  shop.jobs.updateOne({ _id: 1, worker: 'a' }, { $set: { state: 'ready' }, $unset: { worker: 1 } });
  assert.strictEqual(take('c')._id, 1);
});

check('findAndModify as a sequence of ids', () => {
  const next = () =>
    shop.sequences.findAndModify({
      query: { _id: 'orders' },
      update: { $inc: { value: 1 } },
      new: true,
      upsert: true,
    }).value;
  same([next(), next(), next()], [1, 2, 3]);
});

check('$where compares two fields, behind a filter that narrows', () => {
  shop.stock.insertMany([
    { _id: 1, shelf: 'a', wanted: 5, there: 9 },
    { _id: 2, shelf: 'a', wanted: 5, there: 2 },
    { _id: 3, shelf: 'b', wanted: 5, there: 1 },
  ]);
  shop.stock.createIndex({ shelf: 1 });
  const filter = { shelf: 'a', $where: 'this.there < this.wanted' };
  same(shop.stock.find(filter).map((s) => s._id).toArray(), [2]);
  same(
    shop.stock.find({ $where: function () { return this.there < obj.wanted; } })
      .map((s) => s._id).toArray().sort(),
    [2, 3],
  );
  const explained = shop.stock.find(filter).explain('executionStats').executionStats;
  assert.strictEqual(explained.totalDocsExamined, 2);
});

check('text that ends with something: a prefix of the reversed text, on an index', () => {
  const reversed = (text) => text.split('').reverse().join('');
  for (const host of ['www.example.org', 'mail.example.org', 'www.example.com', 'org.test']) {
    shop.hosts.insertOne({ host, tsoh: reversed(host) });
  }
  shop.hosts.createIndex({ tsoh: 1 });
  const filter = { tsoh: new RegExp('^' + reversed('.example.org').replace(/\./g, '\\.')) };
  same(
    shop.hosts.find(filter, { _id: 0, host: 1 }).sort({ host: 1 }).toArray(),
    [{ host: 'mail.example.org' }, { host: 'www.example.org' }],
  );
  const plan = shop.hosts.find(filter).explain('executionStats');
  assert.strictEqual(scanOf(plan).stage, 'IXSCAN');
  // Each shard looks at one key behind the last.
  const runs = plan.executionStats.executionStages.shards || [plan];
  assert.ok(plan.executionStats.totalKeysExamined <= 2 + runs.length);
});

check('pages by the range of _id give what pages by skip give', () => {
  const all = [];
  for (let i = 0; i < 57; i++) {
    all.push({ n: i });
  }
  shop.log.insertMany(all);
  const bySkip = [];
  for (let page = 0; page * 10 < 57; page++) {
    bySkip.push(...shop.log.find().sort({ _id: 1 }).skip(page * 10).limit(10).toArray());
  }
  const byRange = [];
  let last = MinKey();
  while (true) {
    const page = shop.log.find({ _id: { $gt: last } }).sort({ _id: 1 }).limit(10).toArray();
    if (page.length === 0) {
      break;
    }
    byRange.push(...page);
    last = page[page.length - 1]._id;
  }
  same(byRange, bySkip);
  assert.strictEqual(byRange.length, 57);
  const examined = shop.log
    .find({ _id: { $gt: byRange[49]._id } }).sort({ _id: 1 }).limit(10)
    .explain('executionStats').executionStats.totalDocsExamined;
  assert.ok(examined <= 10, `${examined} documents examined`);
});

check('GridFS: chunks whose file is gone', () => {
  const files = shop.getCollection('fs.files');
  const chunks = shop.getCollection('fs.chunks');
  chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
  for (const file of [1, 2, 3]) {
    files.insertOne({ _id: file, length: 2, chunkSize: 1, uploadDate: new Date() });
    chunks.insertMany([{ files_id: file, n: 0, data: HexData(0, '00') },
      { files_id: file, n: 1, data: HexData(0, '01') }]);
  }
  files.deleteOne({ _id: 2 });
  const known = files.distinct('_id');
  same(chunks.distinct('files_id', { files_id: { $nin: known } }), [2]);
  assert.strictEqual(chunks.deleteMany({ files_id: { $nin: known } }).deletedCount, 2);
  assert.strictEqual(chunks.countDocuments(), 4);
});

check('the last three comments, kept by $push with $slice', () => {
  shop.articles.insertOne({ _id: 1, comments: [], count: 0 });
  for (let i = 1; i <= 5; i++) {
    shop.articles.updateOne({ _id: 1 }, {
      $push: { comments: { $each: [{ by: `u${i}`, score: i % 3 }], $slice: -3 } },
      $inc: { count: 1 },
    });
  }
  same(shop.articles.findOne(), {
    _id: 1,
    comments: [{ by: 'u3', score: 0 }, { by: 'u4', score: 1 }, { by: 'u5', score: 2 }],
    count: 5,
  });
  same(
    shop.articles.findOne({}, { comments: { $slice: -1 }, count: 0 }),
    { _id: 1, comments: [{ by: 'u5', score: 2 }] },
  );
});

shop.dropDatabase();
report();
