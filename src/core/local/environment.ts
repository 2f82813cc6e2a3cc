import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../util/paths.ts';

/** Variables that a command gets as they are: where things lie and how to print, never a key or token. */
const PASSED = [
  ...['HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
  ...['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE', 'AZURE_CONFIG_DIR'],
  ...[
    'GH_CONFIG_DIR',
    'JAVA_HOME',
    'GOPATH',
    'GOROOT',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'PYENV_ROOT',
    'NVM_DIR',
    'VOLTA_HOME',
  ],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'ANDROID_HOME', 'DEVELOPER_DIR', 'SDKROOT', 'NIX_SSL_CERT_FILE', 'SSL_CERT_FILE'],
  ...['SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
];

/** Nobody can answer a question, page through output or see colours. */
const FIXED = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  AWS_PAGER: '',
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** A read must neither refresh git's index nor start the program that a repository names to watch it. */
const READING = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
};

export interface EnvironmentOptions {
  readonly home: string;
  readonly temporary: string;
  /** Programs in here are not found by their bare names: agents write here. */
  readonly folder: string;
  readonly isRead: boolean;
}

/** The variables of a command: a fixed choice, so that no secret of the editor's environment reaches it. */
export function environment(
  { home, temporary, folder, isRead }: EnvironmentOptions,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = [...PASSED, ...Object.keys(env).filter((name) => /^LC_[A-Z]+$/.test(name))];
  const search = (env.PATH ?? '/usr/bin:/bin').split(delimiter);
  return {
    ...Object.fromEntries(passed.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    ...FIXED,
    ...(isRead && READING),
    HOME: home,
    SHELL: '/bin/bash',
    PATH: search.filter((path) => isAbsolute(path) && !(isRead && isInside(folder, path))).join(delimiter),
    TMPDIR: temporary,
  };
}
