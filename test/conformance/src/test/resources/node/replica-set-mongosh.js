// What administrators do to a replica set in mongosh. Run as: mongosh URI replica-set-mongosh.js
const assert = require('assert');

const shell = db.getSiblingDB('mongosh_set_tests');
load(`${__dirname}/mongosh-checks.js`);

function eventually(what, condition) {
  const deadline = Date.now() + 60_000;
  let last;
  while (Date.now() < deadline) {
    try {
      if (condition()) {
        return;
      }
      last = undefined;
    } catch (e) {
      last = e;
    }
    sleep(100);
  }
  throw new Error(`not in time: ${what}${last ? `: ${last.message}` : ''}`);
}

shell.dropDatabase();

check('rs.status()', () => {
  eventually('one primary, two secondaries', () => {
    const states = rs.status().members.map((member) => member.stateStr).sort();
    return states.join() === 'PRIMARY,SECONDARY,SECONDARY';
  });
  const status = rs.status();
  assert.strictEqual(status.set, 'rs0');
  assert.strictEqual(Number(status.ok), 1);
});

check('rs.conf()', () => {
  const config = rs.conf();
  assert.strictEqual(config._id, 'rs0');
  assert.strictEqual(config.members.length, 3);
  assert.strictEqual(config.members[0].tags.dc, 'east');
});

check('rs.hello() and db.isMaster()', () => {
  assert.strictEqual(rs.hello().setName, 'rs0');
  assert.strictEqual(rs.hello().hosts.length, 3);
  assert.strictEqual(db.isMaster().ismaster, true);
});

check('write concerns', () => {
  for (const w of [1, 2, 3, 'majority', 'bothCoasts']) {
    const result = shell.c.insertOne({ w }, { writeConcern: { w, wtimeout: 60_000 } });
    assert.strictEqual(result.acknowledged, true);
  }
  assert.strictEqual(shell.c.countDocuments(), 5);
});

check('read preferences', () => {
  for (const mode of ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']) {
    assert.strictEqual(shell.c.find({ w: 3 }).readPref(mode).itcount(), 1, mode);
  }
  assert.strictEqual(shell.c.find({ w: 3 }).readPref('nearest', [{ dc: 'east' }]).itcount(), 1);
});

check('read concerns', () => {
  for (const level of ['local', 'available', 'majority', 'linearizable']) {
    assert.strictEqual(shell.c.find({ w: 3 }).readConcern(level).itcount(), 1, level);
  }
});

check('db.printSecondaryReplicationInfo() and rs.printReplicationInfo()', () => {
  rs.printSecondaryReplicationInfo();
  rs.printReplicationInfo();
});

check('the oplog', () => {
  const entry = db.getSiblingDB('local').oplog.rs.find({ ns: 'mongosh_set_tests.c' }).sort({ $natural: -1 }).next();
  assert.strictEqual(entry.op, 'i');
  assert.strictEqual(entry.o.w, 'bothCoasts');
});

check('rs.reconfig(): priority and hidden', () => {
  const secondary = rs.status().members.find((member) => member.stateStr === 'SECONDARY');
  const config = rs.conf();
  const member = config.members.find((each) => each._id === secondary._id);
  member.priority = 0;
  member.hidden = true;
  assert.strictEqual(Number(rs.reconfig(config).ok), 1);
  eventually('the member is hidden', () => rs.hello().hosts.length === 2);

  const back = rs.conf();
  const same = back.members.find((each) => each._id === secondary._id);
  same.priority = 1;
  same.hidden = false;
  assert.strictEqual(Number(rs.reconfig(back).ok), 1);
  eventually('the member is seen', () => rs.hello().hosts.length === 3);
});

check('rs.remove() and rs.add()', () => {
  // Whoever leads, one of those in the west does not; the set cannot do without the one in the east.
  const { primary } = rs.hello();
  const entry = rs.conf().members.find((member) => member.tags.dc === 'west' && member.host !== primary);
  const name = entry.host;
  assert.strictEqual(Number(rs.remove(name).ok), 1);
  eventually('two members are left', () => rs.conf().members.length === 2);
  assert.strictEqual(shell.c.insertOne({ w: 'after' }, { writeConcern: { w: 2 } }).acknowledged, true);
  assert.strictEqual(Number(rs.add({ _id: entry._id, host: name, tags: entry.tags }).ok), 1);
  eventually('three members are up', () =>
    rs.status().members.filter((member) => [1, 2].includes(member.state)).length === 3);
  shell.c.insertOne({ w: 'all' }, { writeConcern: { w: 3, wtimeout: 60_000 } });
});

check('rs.freeze() and rs.stepDown()', () => {
  const before = rs.hello().primary;
  rs.stepDown(120, 30);
  eventually('another primary', () => {
    const { primary } = rs.hello();
    return primary && primary !== before;
  });
  eventually('writes', () => shell.c.insertOne({ w: 'stepped' }).acknowledged);
});

check('dropDatabase', () => {
  shell.dropDatabase();
  assert.ok(!db.getMongo().getDBNames().includes('mongosh_set_tests'));
});

report();
