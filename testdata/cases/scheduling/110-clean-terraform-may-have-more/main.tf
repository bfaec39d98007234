resource "aws_eks_node_group" "builds" {
  labels = { team = "builds" }
}
