"""Runs the steps of a composite action in a folder as the runner would, `uses` steps replaced by a stub.

    replay.py ACTION WORKSPACE TEMP EVENT.json [INPUT=VALUE]...

Knows the expressions that our action has: contexts, strings, `==`, `!=`, `&&`, `||`, `!`, `always()`. Prints one JSON
object: the outputs, the job summary, the logs, what the stub was given, and the name of the step that failed.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

TOKEN = re.compile(r"\s*('(?:[^']|'')*'|==|!=|&&|\|\||!|\(\)|[()]|[A-Za-z_][\w.-]*)")


def evaluate(expression, contexts):
    """The value of a GitHub expression: turned into one of Python, whose operators give operands back as well."""
    words, at = [], 0
    expression = expression.strip()
    while at < len(expression):
        token = TOKEN.match(expression, at)
        if not token:
            raise SystemExit(f"not an expression that is known here: {expression}")
        word, at = token.group(1), token.end()
        if word.startswith("'"):
            words.append(repr(word[1:-1].replace("''", "'")))
        elif word in ("&&", "||", "!"):
            words.append({"&&": "and", "||": "or", "!": "not"}[word])
        elif word in ("==", "!=", "(", ")", "()"):
            words.append(word)
        elif word == "always":
            words.append("always")
        else:
            words.append(f"get({word!r})")

    def get(path):
        value = contexts
        for key in path.split("."):
            value = value.get(key, "") if isinstance(value, dict) else ""
        return value

    return eval(" ".join(words), {"get": get, "always": lambda: True})  # noqa: S307: our own file


def fill(text, contexts):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(evaluate(m.group(1), contexts)), str(text), flags=re.S)


def pairs(path):
    return dict(line.split("=", 1) for line in path.read_text().splitlines() if line)


def main(action, workspace, temp, event, *given):
    action, temp = pathlib.Path(action).resolve(), pathlib.Path(temp).resolve()
    spec = yaml.safe_load((action / "action.yml").read_text())
    inputs = {name: str(i.get("default", "")) for name, i in spec["inputs"].items()}
    for pair in given:
        name, value = pair.split("=", 1)
        if name not in inputs:
            raise SystemExit(f"the action has no input {name}")
        inputs[name] = value
    contexts = {"inputs": inputs, "steps": {}, "github": json.loads(pathlib.Path(event).read_text())}
    summary = temp / "summary"
    summary.touch()
    uploads, logs, failed = [], {}, None
    for number, step in enumerate(spec["runs"]["steps"]):
        condition = str(step.get("if", "")).removeprefix("${{").removesuffix("}}")
        if failed and "always()" not in condition:
            continue
        if condition and not evaluate(condition, contexts):
            continue
        if "uses" in step:
            uploads.append({"uses": step["uses"]} | {k: fill(v, contexts) for k, v in step["with"].items()})
            continue
        if "${{" in step["run"]:
            raise SystemExit(f"{step['name']}: an expression inside a script")
        output = temp / f"output-{number}"
        output.touch()
        files = {"GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary, "GITHUB_ACTION_PATH": action, "RUNNER_TEMP": temp}
        env = os.environ | {k: str(v) for k, v in files.items()}
        env |= {k: fill(v, contexts) for k, v in step.get("env", {}).items()}
        # What `shell: bash` stands for.
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(shell, cwd=workspace, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        logs[step["name"]] = done.stdout
        contexts["steps"][step.get("id", str(number))] = {"outputs": pairs(output)}
        if done.returncode:
            failed = step["name"]
    outputs = {name: fill(o["value"], contexts) for name, o in spec["outputs"].items()}
    result = {"outputs": outputs, "summary": summary.read_text(), "logs": logs, "uploads": uploads, "failed": failed}
    print(json.dumps(result, indent=1))


main(*sys.argv[1:])
