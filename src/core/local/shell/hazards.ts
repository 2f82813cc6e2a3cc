import type { Invocation } from './invocations.ts';

/** A rule by the words of an invocation joined by spaces. */
type Pattern = readonly [name: RegExp, rest: RegExp];

/** Commands that delete, overwrite or stop what cannot be brought back. */
const DESTRUCTIVE: readonly Pattern[] = [
  [/^rm$/, /(?:^| )(?:-[a-zA-Z]*[rRf]|--recursive|--force)/],
  [
    /^(?:rmdir|shred|truncate|dd|wipefs|mkfs(?:\..*)?|fdisk|parted|shutdown|reboot|halt|poweroff|userdel|deluser|pkill|killall)$/,
    /^/,
  ],
  [/^kill$/, /(?:^| )-(?:9|KILL|SIGKILL)\b/],
  [/^find$/, /(?:^| )-delete\b|-exec(?:dir)? (?:\S*\/)?(?:rm|shred)\b/],
  [/^(?:chmod|chown|chgrp)$/, /(?:^| )(?:-[a-zA-Z]*R|--recursive)/],
  [/^crontab$/, /(?:^| )-r\b/],
  [/^diskutil$/, /^(?:erase|partition|reformat|zero|secureErase|apfs delete)/i],
  [/^rsync$/, /(?:^| )--(?:delete|remove-source)/],
  [/^git$/, /(?:^| )push\b.*(?:--force|--mirror|--delete|--prune|(?:^| )-[a-zA-Z]*[fd]\b| \+\S| :\S)/],
  [
    /^git$/,
    /(?:^| )(?:reset .*--hard|clean .*-[a-zA-Z]*[fdx]|checkout .*(?:--force|-f\b|--|\.(?: |$))|restore\b|branch .*-[a-zA-Z]*[Dd]\b|branch .*--delete|tag .*-d\b|stash (?:drop|clear)|filter-branch|filter-repo|reflog (?:expire|delete)|gc .*--prune|worktree remove|rebase|update-ref .*-d)/,
  ],
  [
    /^aws$/,
    /(?:^| )(?:(?:delete|terminate|remove|purge|deregister|revoke|disable|release|stop|reset|destroy|batch-delete)-\S+|rm|rb)(?: |$)/,
  ],
  [/^az$/, /(?:^| )(?:delete|purge|remove|stop|deallocate|revoke|reset)(?: |$)/],
  [/^gh$/, /(?:^| )(?:delete|remove|archive|delete-\S+)(?: |$)|(?:-X|--method)[ =]?DELETE/],
  [/^(?:kubectl|oc|helm)$/, /(?:^| )(?:delete|drain|uninstall|replace .*--force)(?: |$)/],
  [
    /^(?:terraform|tofu|pulumi|cdk)$/,
    /(?:^| )(?:destroy|apply .*-auto-approve|apply .*-destroy|state rm|workspace delete)(?: |$)?/,
  ],
  [/^(?:docker|podman)$/, /(?:^| )(?:rm|rmi|prune|kill|down)(?: |$)/],
  [
    /^(?:psql|mysql|mariadb|sqlite3|duckdb|snowsql|snow|bq|clickhouse-client|mongosh)$/,
    /\b(?:drop|truncate|delete\s+from|dropDatabase|alter\s+table\s+\S+\s+drop)\b/i,
  ],
  [/^(?:dropdb|dropuser)$/, /^/],
  [/^(?:npm|yarn|pnpm|cargo|gem|twine)$/, /(?:^| )(?:unpublish|yank|deprecate)(?: |$)/],
  [/^(?:brew|apt|apt-get|dnf|yum|pacman)$/, /(?:^| )(?:remove|purge|autoremove|uninstall|-R\w*)(?: |$)/],
];

/** True for a command that is known to delete, overwrite or stop things for good. */
export function isDestructive(invocations: readonly Invocation[], source: string): boolean {
  // A function that starts itself twice: ":(){ :|:& };:".
  const isForkBomb = /(\S+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&/.test(source);
  return (
    isForkBomb || / >\s*\/dev\/(?:sd|nvme|disk|hd)/.test(source) || invocations.some((each) => fits(each, DESTRUCTIVE))
  );
}

/** Commands that ask a person for a password, a code or a click in the browser. */
const SIGN_INS: readonly Pattern[] = [
  [/^gh$/, /^auth (?:login|refresh|switch|setup-git)\b/],
  [/^aws$/, /^(?:--\S+ \S+ )*(?:sso login|login|configure(?: sso(?:-session)?)?(?: --\S+ \S+)*$)/],
  [/^az$/, /^login\b/],
  [/^(?:gcloud|gsutil)$/, /^(?:auth (?:login|application-default login)|init)\b/],
  [/^(?:docker|podman|helm)$/, /^(?:registry )?login\b/],
  [/^(?:npm|yarn|pnpm)$/, /^(?:npm )?(?:login|adduser)\b/],
  [
    /^(?:databricks|argocd|oc|terraform|tofu|vault|heroku|firebase|netlify|vercel|wrangler|supabase|railway|cargo|flyctl|fly|codex|copilot|claude|hf|huggingface-cli|glab|doctl|sf|sfdx|snow|tsh|infisical|doppler)$/,
    /^(?:auth |org )?(?:login|init|setup-token|signin)\b/,
  ],
  [/^databricks$/, /^configure\b/],
  [/^op$/, /^(?:signin|account add)\b/],
  [/^gem$/, /^signin\b/],
  [/^(?:kinit|passwd|su|ssh-copy-id|visudo|doas|sudo)$/, /^/],
  [/^git$/, /^credential(?:-\S+)? (?:approve|store|login)\b/],
];

/** The invocation that only a person can carry out, since it asks for a sign-in or a password. */
export function signInOf(invocations: readonly Invocation[]): Invocation | undefined {
  return invocations.find((each) => fits(each, SIGN_INS) && !/(?:^| )(?:--help|-h)$/.test(rest(each)));
}

/** Commands whose output is likely to hold keys, tokens or passwords. */
const CREDENTIAL_OUTPUT: readonly Pattern[] = [
  [/^(?:printenv|export|declare|typeset|set)$/, /^(?:-p\b.*)?$/],
  [/^printenv$/, /^/],
  [/^env$/, /^(?:-\S+ ?)*$/],
  [/^(?:ps)$/, /(?:^| )(?:[a-zA-Z]*e[a-zA-Z]*|-[a-zA-Z]*E[a-zA-Z]*)(?: |$)/],
  [/^(?:cat|strings|head|tail|less|more|xxd|tr)$/, /\/proc\/[^/ ]+\/environ/],
  [
    /^gh$/,
    /^auth (?:token|status .*(?:-t\b|--show-token))|^config get oauth_token|^api .*(?:registration-token|access_tokens|remove-token|generate-jitconfig)/,
  ],
  [/^git$/, /(?:^| )(?:credential\S*|config(?! (?:--get |get )(?:user|core|init|remote|branch)\.))(?: |$)/],
  [
    /^aws$/,
    /(?:^| )(?:sts (?:get-session-token|get-federation-token|assume-\S+)|secretsmanager (?:batch-)?get-secret-value|configure (?:get|export-credentials)|ecr(?:-public)? get-(?:login-password|authorization-token)|codeartifact get-authorization-token|eks get-token|sso get-role-credentials|\S+ get-(?:cluster-credentials\S*|credentials\S*|open-id-token\S*|password-data|instance-access-details|api-keys?|relational-database-master-user-password)|iam create-\S+|rds generate-db-auth-token|lightsail download-default-key-pair|lambda (?:get-function\S*|list-functions)|ecs describe-task-definition|s3 presign)(?: |$)/,
  ],
  [/^aws$/, /ssm get-parameter.*--with-decryption|--debug/],
  [
    /^az$/,
    /(?:^| )(?:get-access-token|get-credentials|keys?|secret|credential|credentials|certificate|appsettings|connection-string|list-keys|list-connection-strings|show-connection-string|generate-sas|list-publishing-\S+|publish-profile|admin-key|query-key|sas)(?: |$)/,
  ],
  [/^az$/, /--debug/],
  [/^gcloud$/, /print-(?:access|identity)-token|secrets versions access|print-refresh-token|keys create/],
  [/^kubectl$/, /(?:^| )(?:get|describe) (?:.*,)?secrets?\b|config view.*--raw|create token/],
  [/^(?:vault|op|pass|security|secret-tool|gopass|bw|lpass|doppler|infisical|chamber|sops|gpg|age)$/, /^/],
  [
    /^(?:heroku|fly|flyctl|vercel|netlify|doctl|databricks|npm|terraform|tofu|pulumi|docker|snow)$/,
    /(?:^| )(?:config|secrets?|env|token|tokens|auth token|auth env|output|state show|state pull|inspect|connection)(?: |$|:)/,
  ],
  [/^openssl$/, /^(?:genrsa|genpkey|rsa|pkey|ec|pkcs12)\b/],
];

/** True for a command whose output is likely to hold keys, tokens or passwords. */
export function hasCredentialOutput(invocation: Invocation): boolean {
  return fits(invocation, CREDENTIAL_OUTPUT);
}

function fits(invocation: Invocation, patterns: readonly Pattern[]): boolean {
  const words = rest(invocation);
  return patterns.some(([name, more]) => name.test(invocation[0]) && more.test(words));
}

function rest([, ...args]: Invocation): string {
  return args.join(' ');
}

const EXPIRED: Readonly<Record<string, readonly [RegExp, (invocation: Invocation) => string]>> = {
  gh: [/gh auth login|gh auth refresh|HTTP 401|Bad credentials|authentication token/i, () => 'gh auth login'],
  aws: [
    /ExpiredToken|token (?:is|has) expired|Token has expired|SSO (?:session|Token).*(?:expired|invalid|not found)|Unable to locate credentials|InvalidClientTokenId|UnrecognizedClient|aws (?:sso )?login|RequestExpired|AuthFailure/i,
    (invocation) => {
      const profile = invocation[invocation.indexOf('--profile') + 1];
      return invocation.includes('--profile') && /^[\w.@-]+$/.test(profile ?? '')
        ? `aws sso login --profile ${profile}`
        : 'aws sso login';
    },
  ],
  az: [/az login|AADSTS\d+|refresh token has expired|No subscriptions? found/i, () => 'az login'],
  git: [
    /Authentication failed for 'https:\/\/github\.com|could not read Username for 'https:\/\/github\.com/i,
    () => 'gh auth login',
  ],
};

/** The command that signs a person in again, when a failed run says that this is what it needs. */
export function signInAfter(invocations: readonly Invocation[], output: string): string | undefined {
  for (const invocation of invocations) {
    const [pattern, command] = EXPIRED[invocation[0]] ?? [];
    if (pattern?.test(output)) return command!(invocation);
  }
  return undefined;
}
