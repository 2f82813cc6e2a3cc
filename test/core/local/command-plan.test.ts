import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { closedPaths } from '../../../src/core/local/closed.ts';
import { closedOperands, confirmationText, planCommand, shownReason } from '../../../src/core/local/command-plan.ts';
import { invocationsOf } from '../../../src/core/local/shell/invocations.ts';
import { parseCommand } from '../../../src/core/local/shell/parse.ts';

type Kind = 'read' | 'git' | 'gh' | 'aws' | 'az' | 'ask' | 'person' | 'refused';

function kindOf(command: string): Kind {
  try {
    const plan = planCommand(command);
    if ('signIn' in plan) return 'person';
    return plan.asks === undefined ? (plan.clis[0] ?? 'read') : 'ask';
  } catch {
    return 'refused';
  }
}

const lines = (text: string) => text.trim().split('\n');

describe('run at once as local reads', () => {
  test.each(
    lines(`
ls
ls -la ~/Documents
cat README.md
head -n 20 file.txt
tail -f log.txt
pwd
grep -rn TODO src
wc -l *.md
echo hello world
printf '%s\\n' a b
df -h
du -sh .
uname -a
uptime
whoami
id
stat package.json
which node
type ls
vm_stat
sw_vers
system_profiler SPHardwareDataType
lsof -i :8080
cut -d, -f1 data.csv
tr a-z A-Z
column -t data.txt
find . -name '*.ts' -type f
find . -maxdepth 2 -newer a -print0
rg --hidden TODO src
sort -rnk2 data.txt
sort --key=2 -u data.txt
uniq -c
uniq -c -f 1 data.txt
file image.png
date
date +%Y-%m-%d
date -u -d yesterday +%s
date -j -f %Y-%m-%d 2026-01-01 +%s
hostname
hostname -f
sysctl kern.maxproc
sysctl -n hw.memsize
top -l 1
top -b -n 1
top -bn1 -o %CPU
diskutil list
diskutil info disk0
ps aux
ps -ef
ps -eo pid,etime,comm
ps axo pid,etime,command
ps -p 1 -o comm=
jq '.items[] | .name' data.json
jq -r .version package.json
python --version
python3 -V
java -version
go version
node --version
npm --version
docker --version
claude --version
codex --version
ps aux | grep python
ls | sort | uniq -c | head -5
ls && pwd
ls missing || echo none
pwd; ls
cat a.txt b.txt | wc -l && echo done
ls "a b" 'c d' e\\ f
grep '$HOME' file
echo 'a > b' "c && d"
ls ./*
sort ./*.txt
ls *
cat [a-c]*.txt
echo \\$HOME
ls ünïcode/文件.txt
ls # what is here
`),
  )('%s', (command) => expect(kindOf(command)).toBe('read'));
});

describe('run at once as the read of one CLI', () => {
  test.each([
    ...lines(`
git status
git -C /repo status --short
git --no-pager log --oneline -5
git diff HEAD~1 -- src
git show HEAD:package.json
git branch
git branch -a --contains main
git branch --list 'feature/*'
git tag -l 'v*'
git remote -v
git remote get-url origin
git stash list
git worktree list
git reflog
git blame README.md
git --version`).map((command) => ['git', command] as const),
    ...lines(`
gh pr list
gh pr view 12 --comments
gh issue list --label bug
gh run view 5 --log
gh search prs --author me
gh auth status
gh api repos/o/r/pulls
gh api -X GET search/issues -q .total_count
gh --version`).map((command) => ['gh', command] as const),
    ...lines(`
aws s3 ls
aws sts get-caller-identity
aws ec2 describe-instances --region eu-west-1
aws --profile dev iam list-users
aws configure list-profiles
aws --version`).map((command) => ['aws', command] as const),
    ...lines(`
az account show
az vm list -o table
az group exists -n x
az --version`).map((command) => ['az', command] as const),
  ])('%s: %s', (cli, command) => expect(kindOf(command)).toBe(cli));
});

describe('ask a person', () => {
  test.each(
    lines(`
rm file
rm -rf /
mkdir x
touch x
cp a b
mv a b
curl https://example.com
wget https://example.com
ssh host ls
nc -l 80
python3 -c 'print(1)'
python3 --version -c x
python3
node -e 1
npm install
make
bash -c ls
sh script.sh
eval ls
exec ls
source x
. x
cd /tmp
export A=1
alias ls=rm
env
env FOO=1 ls
printenv
xargs rm
tee out.txt
sed -i s/a/b/ f
awk 'BEGIN{system("id")}'
vim
less file
ls > out.txt
ls >> out.txt
ls 2>/dev/null
ls 2>&1
cat < in.txt
cat <<< text
ls &
ls & pwd
ls |& cat
! ls
time ls
coproc ls
(ls)
{ ls; }
if true; then ls; fi
for f in *; do cat $f; done
while true; do ls; done
f() { ls; }; f
function ls { rm x; }
[[ -f x ]]
[ -f x ]
((1+1))
echo $HOME
echo "$HOME"
echo \${HOME}
echo $(id)
echo "$(id)"
echo \`id\`
echo "\`id\`"
cat <(ls)
ls \${IFS}-la
ls$IFS-la
l\${x}s
$'ls'
echo $'\\x2d'
echo $"ls"
echo {a,b}
ls {-la,-lb}
sort {-o,x} y
FOO=bar ls
PATH=. ls
LD_PRELOAD=x ls
~/bin/ls
/bin/ls
./ls
../ls
l*
*
echo @(a|b)
echo !(a)
ls ~root
find . -exec rm {} \\;
find . -execdir id +
find . -ok rm {} \\;
find . -okdir rm {} \\;
find . -delete
find . -fprint x
find . -fprintf x %p
find . -fls x
find . "-del"ete
find . -de\\lete
find . '-exec' id ';'
find * -name x
find [-]exec
rg --pre cat x
rg --pre=cat x
rg --hostname-bin=x y
rg TODO *
sort -o out in
sort -oout in
sort -ro out in
sort --output=out in
sort --outp=out in
sort --compress-program=sh in
sort --compress-prog sh in
sort -t -- -o x
sort *
sort -*
sort ?o
sort ''*
uniq in out
uniq -c in out
uniq -f in out x
uniq *
uniq -- -a b
uniq in*
file -C -m magic
file --compile -m magic
file --comp
file *
date 01011200
date -s 12:00
date --set=12:00
date --se 12:00
date -us 12:00
date -f %Y 2020
date *
date -d now 01011200
hostname evil
hostname -F f
hostname *
sysctl kern.x=1
sysctl -w kern.x=1
sysctl -p
sysctl --system
top
top -n 0
top -b
top -l 0
diskutil eraseDisk JHFS+ x disk2
ps auxe
ps eww
ps e
ps -E
ps axe -o pid
ps u e
ps -o fgroup e
ps -ofgroup e
ps --forest e
ps o fgroup e
ps -auxe
ps -o environ
jq env
jq '$ENV.PATH'
jq 'env.PATH' f
jq -f filter.jq
jq -rf filter.jq
jq --from-file x
jq -L dir .
jq 'import "a" as a; .'
jq 'include "a"; .'
jq . *
printf -v x a
printf -vx a
printf '%n' PATH
printf '%5ln' 'a[$(id)]'
printf * x
lsof -Db/tmp/x
go build
go version x
npm --version x
docker ps
git push
git pull
git commit -m x
git fetch
git checkout main
git branch new
git branch -d old
git branch -D old
git tag v1
git tag -d v1
git remote add o u
git remote show origin
git ls-remote
git stash
git stash pop
git config --list
git config user.name x
git -c core.pager=evil log
git -c alias.x='!id' x
git --exec-path=/tmp log
git --git-dir=/tmp/x log
git diff --output=x
git diff --outp=x
git log --ext-diff -p
git show --textconv HEAD
git grep -O less x
git grep --open-files-in-pager=less x
git grep -Oless x
git log --show-signature
git reflog expire --all
git worktree add x
git submodule update
git x
git log *
git status | cat
git status; ls
ls && git status
gh pr list | head
gh pr create
gh pr merge 1
gh repo delete o/r
gh api -X DELETE repos/o/r
gh api -XPOST repos/o/r
gh api -iXPOST repos/o/r
gh api repos/o/r -f a=b
gh api repos/o/r -fa=b
gh api repos/o/r -F a=b
gh api repos/o/r --field a=b
gh api --method=PATCH repos/o/r
gh api --input x repos/o/r
gh api https://evil.example/x
gh api graphql
gh api -H 'X-HTTP-Method-Override: DELETE' repos/o/r
gh pr view --web
gh pr view -w
gh auth token
gh auth status -t
gh auth status --show-token
gh extension install o/r
gh codespace ssh
aws s3 cp a s3://b
aws s3 rm s3://b/x
aws ec2 terminate-instances
aws ec2 run-instances
aws s3api get-object --bucket b --key k out
aws secretsmanager get-secret-value --secret-id x
aws ssm get-parameter --name x --with-decryption
aws sts get-session-token
aws sts assume-role
aws ecr get-login-password
aws --endpoint-url http://localhost s3 ls
aws ec2 describe-instances --cli-input-json file://x
aws s3 ls --debug
aws lambda get-function --function-name f
aws configure get aws_secret_access_key
aws configure export-credentials
az vm delete
az account get-access-token
az keyvault secret show -n x
az storage account keys list
az aks get-credentials
az webapp config appsettings list
az rest --method get --url https://management.azure.com/x
az vm list --debug
`),
  )('%s', (command) => expect(kindOf(command)).toBe('ask'));

  test.each([
    ['two lines', 'ls\nrm x'],
    ['a carriage return', 'ls\rrm x'],
    ['a continued line', 'ls \\\n-la'],
    ['a here-document', 'cat <<EOF\nhi\nEOF'],
    ['a no-break space', 'ls\u00a0-la'],
    ['an ideographic space', 'ls\u3000-la'],
    ['a zero-width space', 'ls -l\u200b'],
    ['a right-to-left override', 'echo \u202egnp.exe'],
    ['a line separator', 'ls\u2028rm x'],
    ['an escape character', 'echo \u001b[2J'],
    ['a letter that looks like another', 'саt file'],
    ['a full-width semicolon', 'ls；rm'],
  ])('%s', (_, command) => expect(kindOf(command)).toBe('ask'));
});

test.each(
  lines(`
gh auth login
aws sso login --profile dev
aws configure
az login
gcloud auth login
docker login
npm login
databricks auth login
sudo ls
su -
bash -c 'az login'
echo y | gh auth login
VAR=1 gh auth login
time az login
`),
)('is handed to the person: %s', (command) => expect(kindOf(command)).toBe('person'));

test.each([
  ['an open quote', 'echo "a'],
  ['an open substitution', 'echo $(ls'],
  ['a stray parenthesis', 'ls )'],
  ['two semicolons', 'ls ;; pwd'],
  ['nothing', '   '],
  ['a comment', '# nothing'],
  ['a NUL', 'ls \0 x'],
  ['a book', `echo ${'a'.repeat(30_000)}`],
])('is refused: %s', (_, command) => expect(kindOf(command)).toBe('refused'));

describe('laws', () => {
  const words = ['ls', 'cat', 'echo', 'x', '-la', 'rm', 'git', 'sort', '-o', 'find', '-delete'];
  const piece = fc.constantFrom(
    ...words,
    ...[' ', ' ', ' ', ';', '&', '|', '&&', '||', '$', '`', '"', "'", '\\', '(', ')', '{', '}', '<', '>', '*', '?'],
    ...['[', ']', '~', '#', '!', '=', '\n', '\t', '$(', '${', "$'", ',', 'é', '\u00a0'],
  );
  const source = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  test('any text gets a verdict, in time', () => {
    fc.assert(
      fc.property(fc.oneof(source, fc.string()), (text) => void kindOf(text)),
      { numRuns: 2000 },
    );
    expect(kindOf('('.repeat(10_000))).toBe('refused');
    expect(['ask', 'refused']).toContain(kindOf(`${'$('.repeat(3000)}ls${')'.repeat(3000)}`));
  });

  test('what runs at once names known programs alone, and holds no live special character', () => {
    const known = new Set(['ls', 'cat', 'echo', 'sort', 'find', 'git']);
    fc.assert(
      fc.property(source, (text) => {
        const plan = (() => {
          try {
            return planCommand(text);
          } catch {
            return undefined;
          }
        })();
        if (!plan || 'signIn' in plan || plan.asks !== undefined) return;
        expect(invocationsOf(plan.source).every(([name]) => known.has(name))).toBe(true);
        const bare = plan.source.replace(/'[^']*'|\\'/g, '');
        expect(bare).not.toMatch(/[$`<>(){}"\n]|(?<!&)&(?!&)/);
      }),
      { numRuns: 5000 },
    );
  });

  test.each(['ls', 'cat a | wc -l', 'git status'])('%s with anything live in it asks', (read) => {
    const live = [
      '$(id)',
      '`id`',
      '$x',
      '$' + '{x}',
      '>o',
      '<i',
      '&',
      '<(id)',
      '{a,b}',
      "$'a'",
      '2>&1',
      '<<<x',
      '\n id',
    ];
    for (const each of live) expect(kindOf(`${read} ${each}`)).not.toMatch(/read|git/);
  });

  // Bash itself is the judge of what a word means.
  const folder = mkdtempSync(join(tmpdir(), 'loci-words-'));
  for (const name of ['a', 'b c', '-o', 'x*y', 'é']) writeFileSync(join(folder, name), '');
  afterAll(() => rmSync(folder, { recursive: true }));
  const bash = (command: string) =>
    execFileSync('/bin/bash', ['-c', command], {
      cwd: folder,
      env: { HOME: '/home/p', LANG: 'C.UTF-8' },
      encoding: 'utf8',
    });

  test('the source that is run means to bash what the command means', () => {
    const quoted = fc.constantFrom(
      'a',
      'b c',
      "'",
      '"',
      '\\',
      '*',
      '?',
      '[',
      ']',
      '~',
      '$',
      'é',
      '#',
      '!',
      '-',
      '=',
      ';',
      '&',
      ' ',
    );
    const word = fc.array(
      fc.oneof(
        quoted.filter((text) => !/['\\]/.test(text)).map((text) => `'${text}'`),
        quoted.filter((text) => !/["\\$`!]/.test(text)).map((text) => `"${text}"`),
        quoted.map((text) => `\\${text[0]}`),
        fc.constantFrom('a', '*', '?', '[a-c]', '~', '~/x', '-', '=', '#', '!', ',', '.', '/'),
      ),
      { minLength: 1, maxLength: 5 },
    );
    let compared = 0;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (args) => {
        const command = `echo ${args.map((parts) => parts.join('')).join(' ')}`;
        if (kindOf(command) !== 'read') return;
        const { source: canonical } = planCommand(command) as { source: string };
        compared++;
        expect(bash(canonical)).toBe(bash(command));
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});

describe('what a person is shown', () => {
  const shown = (command: string, reason = 'To see.') => {
    const input = { command, reason, working_directory: '', timeout_seconds: 900 };
    return confirmationText(planCommand(command) as never, input);
  };

  test('the exact command, the reason and the limits', () => {
    const { title, message } = shown('npm  install', 'To  test\n\nit');
    expect(title).toBe('Run this command?');
    expect(message).toContain('```bash\nnpm  install\n```');
    expect(message).toContain('Reason: To test it');
    expect(message).toContain('300 seconds');
  });

  test('a command cannot break out of its block, nor a reason draw', () => {
    expect(shown('echo ```` > x').message).toMatch(/^`{5}bash\n/);
    expect(shown('make', '![x](https://e.example/p.png) **ok**').message).not.toMatch(/!\[|\*\*ok/);
  });

  test('characters that cannot be seen are named', () => {
    expect(shown('make \u202e').message).toContain('U+202E');
    expect(shown('make\u00a0x').message).toContain('U+00A0');
  });

  test('a reason is redacted and short', () => {
    expect(shownReason(`use ghp_${'a1'.repeat(18)} now`)).not.toContain('ghp_');
    expect(shownReason('x '.repeat(400))).toHaveLength(300);
  });

  test.each(
    lines(`
rm -rf build
rm -f x
git push --force
git push -f origin main
git push origin +main
git push origin :main
git reset --hard HEAD~3
git clean -fdx
git branch -D x
aws s3 rm s3://b --recursive
aws ec2 terminate-instances --instance-ids i
aws dynamodb delete-table --table-name t
az group delete -n x
gh repo delete o/r
kubectl delete ns x
terraform destroy
docker system prune -af
psql -c 'DROP TABLE users'
dd if=/dev/zero of=/dev/sda
mkfs.ext4 /dev/sda
find . -name x -delete
sudo_is_not_needed; rm -r x
bash -c "rm -rf x"
ls | xargs rm -rf
env A=1 rm -rf x
timeout 5 rm -rf x
:(){ :|:& };:
chmod -R 777 .
kill -9 1
`),
  )('is marked as destructive: %s', (command) => {
    expect(shown(command).title).toBe('Run this destructive command?');
  });

  test.each(['npm install', 'git push', 'mkdir x', 'git commit -m "rm -rf"', 'docker ps'])('is not: %s', (command) => {
    expect(shown(command).title).toBe('Run this command?');
  });

  test.each(
    lines(`
gh auth token
env
printenv
export -p
aws secretsmanager get-secret-value --secret-id x
az account get-access-token
gcloud auth print-access-token
kubectl get secret x -o yaml
op read op://a/b
ps auxe
git credential fill
git config --list
bash -c 'gh auth token'
cat /proc/1/environ > x
`),
  )('its output is withheld: %s', (command) => {
    expect(planCommand(command)).toMatchObject({ isWithheld: true });
  });
});

test('a read of a closed file under another name is told from one of an ordinary file', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loci home ')));
  try {
    mkdirSync(join(home, '.ssh'));
    mkdirSync(join(home, 'project'));
    writeFileSync(join(home, '.ssh', 'id_rsa'), 'key');
    linkSync(join(home, '.ssh', 'id_rsa'), join(home, 'project', 'notes.txt'));
    writeFileSync(join(home, 'project', 'readme.txt'), 'text');
    linkSync(join(home, 'project', 'readme.txt'), join(home, 'project', 'copy.txt'));
    const storage = join(home, 'storage');
    const closed = await closedPaths({ home, storage, ownFolder: join(storage, 'files'), blockCredentials: true });
    const closedIn = async (command: string) => {
      const parsed = parseCommand(command);
      return parsed.kind === 'chain' ? closedOperands(parsed.chain, join(home, 'project'), home, closed) : undefined;
    };
    expect(await closedIn('cat notes.txt')).toEqual([join(home, 'project', 'notes.txt')]);
    expect(await closedIn('cat copy.txt readme.txt')).toEqual([]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
