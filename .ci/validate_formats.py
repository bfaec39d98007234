"""Writes findings of every rule in every format for machines, and asks the receivers' validators what they think."""

import json
import pathlib
import re
import subprocess
import sys

from jsonschema import Draft7Validator
from lxml import etree

runnerlint, multitool, temp = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
projects, reports = temp / "projects", temp / "reports"
junit_schema = etree.XMLSchema(etree.parse(".ci/junit.xsd"))
rdjson_schema = Draft7Validator(json.loads(pathlib.Path(".ci/rdjson.schema.json").read_text(encoding="utf-8")))
complaints = []


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def check(name, project, *options):
    """Checks a project in each format; the reports lie beside each other as `name.format`."""
    for output in ["sarif", "junit", "gitlab", "rdjson"]:
        command = [runnerlint, "check", "--exit-zero", "--quiet", "--output-format", output, *options]
        write(reports / f"{name}.{output}", subprocess.run(command, cwd=project, check=True, capture_output=True, text=True).stdout)


def check_pages():
    """Each bad example of each page is a project, judged by its rule alone."""
    for page in sorted(pathlib.Path("rules").glob("*/*.md")):
        front, body = page.read_text(encoding="utf-8").split("\n---\n", 1)
        rule, day = (re.search(rf"^{key}: (\S+)", front, re.M)[1] for key in ["id", "as-of"])
        name = rule.replace("/", "-")
        number, bad = 0, False
        for heading, _, file, text in re.findall(r"^(#{2,3} [^\n]*)$|^(`{3,})\w+ (\S+)\n(.*?)^\2$", body, re.M | re.S):
            if heading:
                number, bad = number + 1, heading.startswith("### Bad")
            elif bad:
                write(projects / name / str(number) / file, re.sub(r" *# expect:.*", "", text))
        for example in (projects / name).glob("*"):
            check(f"{name}-{example.name}", example, "--select", rule, "--as-of", day)


def check_faults():
    """Faults of files, which have no page."""
    project = projects / "faults"
    write(project / "syntax/values.yaml", "template: {\n")
    write(project / "twice/values.yaml", "minRunners: 1\nminRunners: 2\ngithubConfigUrl: https://github.com/acme\n")
    write(project / "config/runnerlint.toml", '[rules]\n"arc/no-such" = "off"\n')
    unused = "minRunners: 1 # runnerlint: ignore[arc/runner-no-resources] x\n"
    write(project / "config/values.yaml", f"githubConfigUrl: https://github.com/acme # runnerlint: ignore[arc/no-such] x\n{unused}")
    (project / "config/values-latin.yaml").write_bytes(b"a: \xe9\n")
    check("faults", project)


def validate_sarif():
    folder = temp / "validated"
    command = [multitool, "validate", reports / "*.sarif", "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--kind", "Fail"]
    run = subprocess.run([*command, "--output", folder, "--log", "ForceOverwrite"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"SARIF: not read\n{run.stdout}{run.stderr}")
    for result in json.loads(folder.read_text(encoding="utf-8"))["runs"][0]["results"]:
        complaints.append(f"SARIF: {result['ruleId']} {result['locations']} {result['message']}")


def validate_junit(file):
    if not junit_schema.validate(etree.parse(file)):
        complaints.extend(f"{file.name}: {error}" for error in junit_schema.error_log)


def validate_rdjson(file):
    for error in rdjson_schema.iter_errors(json.loads(file.read_text(encoding="utf-8"))):
        complaints.append(f"{file.name}: {error.message}")


def validate_code_quality(file):
    issues = json.loads(file.read_text(encoding="utf-8"))
    for issue in issues:
        path, line = issue["location"]["path"], issue["location"]["lines"]["begin"]
        fields = all(issue[field] for field in ["description", "check_name", "fingerprint"])
        severity = issue["severity"] in ["info", "minor", "major", "critical", "blocker"]
        if not (fields and severity and line >= 1) or path.startswith(("./", "/")):
            complaints.append(f"{file.name}: {issue}")
    if len({issue["fingerprint"] for issue in issues}) != len(issues):
        complaints.append(f"{file.name}: fingerprints are not unique")
    return {issue["check_name"] for issue in issues}, len(issues)


write(projects / "clean/values.yaml", pathlib.Path("testdata/projects/fleet/arc/values.yaml").read_text(encoding="utf-8"))
check("clean", projects / "clean", "--as-of", "2026-08-17")
check("cases", "testdata/cases", "--as-of", "2026-08-17")
check_faults()
check_pages()

validate_sarif()
seen, findings = set(), 0
for file in sorted(reports.glob("*.sarif")):
    validate_junit(file.with_suffix(".junit"))
    validate_rdjson(file.with_suffix(".rdjson"))
    rules, count = validate_code_quality(file.with_suffix(".gitlab"))
    if (file.stem == "clean") != (count == 0):
        complaints.append(f"{file.stem}: {count} findings")
    seen, findings = seen | rules, findings + count

# All rules were written but the one that tells of the program's own faults.
rules = json.loads(subprocess.run([runnerlint, "rules", "--output-format", "json"], check=True, capture_output=True, text=True).stdout)
if missing := {rule["id"] for rule in rules} - seen - {"meta/internal-error"}:
    complaints.append(f"no finding of {sorted(missing)}")
if complaints:
    sys.exit("\n".join(complaints[:20]))
print(f"formats: {findings} findings of {len(seen)} rules in {len(list(reports.glob('*.sarif')))} projects are well written")
